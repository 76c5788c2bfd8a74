import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type Failure, type Figures, NAMES, show, tooRare } from '../../test/simulation/simulate.ts';
import type { Result, Task } from '../../test/simulation/worker.ts';
import type { World } from '../../test/simulation/world.ts';
import { ROOT } from '../bootstrap/paths.mjs';
import { fastestNode } from '../install/nodeRuntime.mts';
import { commandLine, defineCommand, numberFrom, repeatable } from './command.mts';

/** Worlds of one seed. The next ones have the next seed: so they are the same, however many processes share them. */
const WORLDS_OF_SEED = 250;

export const simulate = defineCommand(
	commandLine('npm run simulate', `Lets the whole node run in virtual time against a model of the service, in worlds made at random, and checks in each what
docs/promises.md promises. Of a world in which a promise is broken it shows what happened, made as small as it can be.`)
		.option('--worlds <N>', 'how many worlds', numberFrom(1, 100_000_000), 10_000)
		.option('--seed <S>', 'another seed makes other worlds; without it, that of the day', numberFrom(0, 2 ** 31 - 1))
		.addOption(repeatable('--promise <NAME>', 'checks only this one; may be repeated', NAMES))
		.option('--world <JSON>', 'only this world, as a failure prints it')
		.option('--mistakes', 'makes small mistakes in the node, one by one, and says after how many worlds each is found')
		.addHelpText('after', '\nExit code: 0 all promises were kept; 1 one was not, or more than a tenth of the mistakes was not found.'),
	async ({ worlds, seed = today(), promise, world, mistakes }) => {
		const names = (promise.length > 0 ? promise : NAMES) as typeof NAMES;
		if (world !== undefined) return print(await show(JSON.parse(world) as World, names));
		if (mistakes) return await tryMistakes(worlds, seed, names);
		const started = Date.now();
		const total: Figures = { worlds: 0, requests: 0, simulatedMs: 0, faults: {}, tested: {}, broken: {}, digest: '' };
		const digests: string[] = [];
		let first: Failure | undefined;
		const tasks = Array.from({ length: Math.ceil(worlds / WORLDS_OF_SEED) }, (_, nth) =>
			({ worlds: Math.min(WORLDS_OF_SEED, worlds - nth * WORLDS_OF_SEED), seed: seed + nth, names }));
		await inProcesses(tasks, ({ seed: own, figures, failure }) => {
			digests[own - seed] = figures.digest;
			for (const name of ['worlds', 'requests', 'simulatedMs'] as const) total[name] += figures[name];
			for (const name of ['faults', 'tested', 'broken'] as const) for (const [key, count] of Object.entries(figures[name])) total[name][key] = (total[name][key] ?? 0) + count;
			if (process.stdout.isTTY) process.stdout.write(`\r${total.worlds} worlds, ${Math.round((1_000 * total.worlds) / (Date.now() - started))} a second `);
			first ??= failure;
		});
		const each = `${Math.round(total.requests / total.worlds)} requests each, ${Math.round(total.simulatedMs / 3_600_000)} hours in all`;
		console.log(`${total.worlds} worlds from seed ${seed} on in ${((Date.now() - started) / 1_000).toFixed(1)} s: ${each}`);
		for (const [name, title] of [['faults', 'a fault struck'], ['tested', 'a promise was put to the test'], ['broken', 'a promise was broken']] as const) {
			console.log(`\nIn so many of 100 worlds ${title}:`);
			for (const [key, count] of Object.entries(total[name]).sort(([, one], [, other]) => other - one)) console.log(`${((100 * count) / total.worlds).toFixed(2).padStart(7)}  ${key}`);
		}
		const rare = worlds < 2_000 || promise.length > 0 ? [] : tooRare(total);
		if (rare.length > 0) console.log(`\nToo rare to say anything of it: ${rare.join(', ')}`);
		console.log(`\nDigest of all traces: ${createHash('sha256').update(digests.join()).digest('hex').slice(0, 16)}`);
		return first ? print(first) : rare.length > 0 ? 1 : 0;
	},
);

/** @returns the exit code */
function print({ world, trace, problems }: Failure): number {
	console.log(`\nThe world:\n${JSON.stringify(world, null, 1)}\n\nWhat happened, in milliseconds (run.attempt; -1 is a login, -2 the trigger):\n${trace.join('\n')}\n`);
	console.log(problems.length === 0 ? 'All promises were kept' : `${problems.join('\n')}\n\nTo see it again: npm run simulate -- --world '${JSON.stringify(world)}'`);
	return problems.length === 0 ? 0 : 1;
}

async function tryMistakes(worlds: number, seed: number, names: typeof NAMES): Promise<number> {
	const { MISTAKES } = await import('../../test/mutation/mistakes.ts');
	let found = 0;
	await inProcesses(MISTAKES.map((_, mistake) => ({ worlds, seed, names, mistake })), ({ mistake, figures, failure }) => {
		const [file, from, to] = MISTAKES[mistake!]!;
		if (failure) found++;
		const result = failure ? `found in world ${figures.worlds}`.padEnd(20) : 'NOT FOUND'.padEnd(20);
		console.log(`${result}  ${file}: ${from.trim()} → ${to.trim() || 'nothing'}${failure ? ` (${failure.problems[0]!.slice(0, 100)})` : ''}`);
	});
	console.log(`${found} of ${MISTAKES.length} mistakes are found in ${worlds} worlds`);
	return found >= MISTAKES.length * 0.9 ? 0 : 1;
}

/** The number of the day: the worlds of a day are the same everywhere. */
const today = () => Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));

/** Lets a process for each core do tasks. */
async function inProcesses(tasks: Task[], onResult: (result: Result) => void): Promise<void> {
	const rest = [...tasks];
	const { bin: execPath } = await fastestNode();
	await Promise.all(Array.from({ length: Math.min(tasks.length, availableParallelism()) }, async () => {
		const worker = fork(path.join(ROOT, 'test', 'simulation', 'worker.ts'), [], { execPath, execArgv: ['--import', 'tsx', '--max-semi-space-size=32'] });
		const ended = new Promise<never>((_resolve, reject) => worker.once('exit', (code) => reject(new Error(`a process of the simulation ended (${code})`))));
		ended.catch(() => {});
		for (let task = rest.shift(); task; task = rest.shift()) {
			const result = new Promise<Result>((resolve) => worker.once('message', (message) => resolve(message as Result)));
			worker.send(task);
			onResult(await Promise.race([result, ended]));
		}
		worker.kill();
	}));
}
