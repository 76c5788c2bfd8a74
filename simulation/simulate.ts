import { createHash } from 'node:crypto';
import fc from 'fast-check';

import { FAULTS } from './faults';
import { INVARIANTS, type InvariantName } from './invariants';
import { indexHistory } from './invariants/view';
import { simulateWorld } from './simulateWorld';
import type { History } from './n8n';
import { type World, arbitraryWorld as anyWorld } from './world';

/** What was simulated: in how many worlds each fault struck, and each invariant was put to the test, and was broken. */
export interface WorldFigures {
	worlds: number;
	requests: number;
	simulatedMs: number;
	faults: Record<string, number>;
	tested: Record<string, number>;
	broken: Record<string, number>;
	/** Of all traces: the same on every machine. */
	digest: string;
}

/** A world in which something is wrong, made as small as it can be. */
export interface BrokenWorld {
	world: World;
	problems: string[];
	trace: string[];
}

export const INVARIANT_NAMES = Object.keys(INVARIANTS) as InvariantName[];

/** In how many worlds each fault is to strike, and each invariant is to be put to the test. */
const MIN_SHARES = { faults: 0.01, tested: 0.02 };

/** What happens too rarely for a simulation to say anything of it. */
export const findTooRare = ({ worlds, ...counts }: WorldFigures): string[] =>
	(['faults', 'tested'] as const).flatMap((of) =>
		(of === 'faults' ? Object.keys(FAULTS) : INVARIANT_NAMES).filter(
			(name) => (counts[of][name] ?? 0) < worlds * MIN_SHARES[of],
		),
	);

/** How many worlds apart those are that happen twice, to see whether they are the same. */
const REPEAT_EVERY = 100;

/** How long a failing world is made smaller, of thousands of steps. Mutants need none of it. */
const MAX_SHRINKING_MS = process.env.SIMULATION_WORLDS ? 0 : 60_000;

const increment = (of: Record<string, number>, name: string) => void (of[name] = (of[name] ?? 0) + 1);

/** What is wrong with a history, by invariants. @param figures are told of each that is put to the test, and broken */
function problemsOf(history: History, names: InvariantName[], figures?: WorldFigures): string[] {
	const view = indexHistory(history);
	return names.flatMap((name) => {
		const problems = INVARIANTS[name](view);
		if (problems && figures) increment(figures.tested, name);
		if (problems && figures && problems.length > 0) increment(figures.broken, name);
		return (problems ?? []).map((problem) => `${name}: ${problem}`);
	});
}

/** Lets one world happen, and says what is wrong with it. */
export async function checkWorld(world: World, names = INVARIANT_NAMES): Promise<BrokenWorld> {
	const history = await simulateWorld(world);
	return { world, problems: problemsOf(history, names), trace: history.trace };
}

/** jest-worker calls it in each process: whoever asks may be killed. */
export const setup = (): void => void process.on('disconnect', () => process.exit());

/** Of no worlds yet. */
export const createFigures = (): WorldFigures => ({
	worlds: 0,
	requests: 0,
	simulatedMs: 0,
	faults: {},
	tested: {},
	broken: {},
	digest: '',
});

/**
 * Lets worlds of a seed happen. The first in which something is wrong is made small.
 * @param names of the invariants that are checked
 */
export async function simulate(
	worlds: number,
	seed: number,
	names = INVARIANT_NAMES,
): Promise<{ figures: WorldFigures; failure?: BrokenWorld }> {
	const figures = createFigures();
	const digest = createHash('sha256');
	let failure: BrokenWorld | undefined;
	for (const [nth, world] of fc.sample(anyWorld, { numRuns: worlds, seed }).entries()) {
		const history = await simulateWorld(world);
		const trace = history.trace.join('\n');
		digest.update(trace);
		figures.worlds++;
		figures.requests += history.sentRequests.length;
		figures.simulatedMs += history.simulatedMs;
		for (const kind of new Set(history.sentRequests.map((send) => send.kind)))
			if (kind !== '') increment(figures.faults, kind);
		const problems = problemsOf(history, names, figures);
		if (nth % REPEAT_EVERY === 0 && (await simulateWorld(world)).trace.join('\n') !== trace) {
			throw new Error(`the same world has two histories: ${JSON.stringify(world)}`);
		}
		if (problems.length === 0 || failure) continue;
		failure = { world, problems, trace: history.trace };
		if (MAX_SHRINKING_MS === 0) break;
		const brokenNames = names.filter((name) => problems.some((problem) => problem.startsWith(`${name}: `)));
		let lastHistory: Promise<History> | undefined;
		const promiseProperty = fc.asyncProperty(
			anyWorld,
			async (each) => problemsOf(await (lastHistory = simulateWorld(each)), brokenNames).length === 0,
		);
		const result = await fc.check(promiseProperty, {
			numRuns: 1,
			seed,
			path: String(nth),
			interruptAfterTimeLimit: MAX_SHRINKING_MS,
		});
		// It goes on when its time is over, and no other world may happen meanwhile.
		await lastHistory;
		if (result.counterexample) failure = await checkWorld(result.counterexample[0], names);
	}
	return { figures: { ...figures, digest: digest.digest('hex') }, failure };
}
