import { endProcesses } from './n8n';
import { makeMistake } from './n8nProcess';
import { MISTAKES } from '../mutation/mistakes';
import { simulate } from './simulate';

/** What `npm run simulate` asks of a process of its own, of which there is one for each core. */
export interface Task {
	worlds: number;
	seed: number;
	/** Of the invariants that are checked. */
	names: Parameters<typeof simulate>[2];
	/** Which of the mistakes is made before. */
	mistake?: number;
}

export type Result = Task & Awaited<ReturnType<typeof simulate>>;

process.on('message', (task: Task) => {
	const { worlds, seed, names, mistake } = task;
	if (mistake !== undefined) {
		endProcesses();
		makeMistake(MISTAKES[mistake]!);
	}
	void simulate(worlds, seed, names, mistake !== undefined).then((result) => process.send!({ ...task, ...result }));
});

// Whoever asks may be stopped.
process.on('disconnect', () => process.exit());
