import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { Worker } from 'jest-worker';
import {
	type BrokenWorld,
	type WorldFigures,
	INVARIANT_NAMES,
	checkWorld,
	createFigures,
	type simulate as simulateWorlds,
	findTooRare,
} from './simulate.ts';
import { measure, SERVICES, type ServiceFigures, describeRegressions } from './throughput.ts';
import type { World } from './world.ts';
import { Failure } from '../scripts/bootstrap/failure.mjs';
import { ROOT } from '../scripts/bootstrap/paths.mjs';
import { createProgram, defineCommand, createNumberParser, createListOption } from '../scripts/commands/command.mts';

/** Worlds per seed. Each batch has the next seed, so the worlds are the same for any number of processes. */
const WORLDS_PER_SEED = 250;

export const simulate = defineCommand(
	createProgram(
		'npm run simulate',
		`Runs the whole node in virtual time against a model of the service, in randomly generated worlds, and checks in each
world what docs/promises.md promises. If a promise is broken, it shrinks that world and prints what happened in it.`,
	)
		.option('--worlds <N>', 'number of worlds', createNumberParser(1, 100_000_000), 10_000)
		.option('--seed <S>', "seed of the random worlds; default: today's date", createNumberParser(0, 2 ** 31 - 1))
		.addOption(createListOption('--promise <NAME>', 'checks only this promise; repeatable', INVARIANT_NAMES))
		.addOption(
			new Option('--world <JSON>', 'runs only this world, as printed by a failure')
				.argParser(parseWorld)
				.conflicts(['worlds', 'seed']),
		)
		.addOption(
			new Option(
				'--throughput',
				'runs fifty services in place of worlds, and compares time, failures and doubts with those accepted',
			).conflicts(['worlds', 'seed', 'promise', 'world']),
		)
		.option('--accept', 'with --throughput, accepts its figures, in simulation/throughput.json')
		.addHelpText(
			'after',
			'\nExit code: 0 all promises were kept; 1 one was broken or hardly tested, or a service became worse by a tenth.',
		),
	async ({ worlds, seed = getToday(), promise, world, throughput, accept }) => {
		if (accept && !throughput) throw new Failure('--accept is for the figures of --throughput: give both.');
		if (throughput) return await printThroughput(accept === true);
		const names = (promise.length > 0 ? promise : INVARIANT_NAMES) as typeof INVARIANT_NAMES;
		if (world !== undefined) return printWorld(await checkWorld(world, names));
		const startedAt = Date.now();
		const totals = createFigures();
		const digests: string[] = [];
		const failures: Array<BrokenWorld | undefined> = [];
		const tasks = Array.from({ length: Math.ceil(worlds / WORLDS_PER_SEED) }, (_, nth): Task => [
			Math.min(WORLDS_PER_SEED, worlds - nth * WORLDS_PER_SEED),
			seed + nth,
			names,
		]);
		await runInProcesses(tasks, ([, taskSeed], { figures, failure }) => {
			digests[taskSeed - seed] = figures.digest;
			addFigures(totals, figures);
			const perSecond = Math.round((1_000 * totals.worlds) / (Date.now() - startedAt));
			if (process.stdout.isTTY) process.stdout.write(`\r${totals.worlds} worlds, ${perSecond} per second `);
			failures[taskSeed - seed] = failure;
		});
		const details = `${Math.round(totals.requests / totals.worlds)} requests each, ${Math.round(totals.simulatedMs / 3_600_000)} simulated hours in total`;
		console.log(
			`${totals.worlds} worlds from seed ${seed} on in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s: ${details}`,
		);
		printShares('a fault struck', totals.faults, totals.worlds);
		printShares('a promise was put to the test', totals.tested, totals.worlds);
		printShares('a promise was broken', totals.broken, totals.worlds);
		const rareNames = worlds < 2_000 || promise.length > 0 ? [] : findTooRare(totals);
		if (rareNames.length > 0) console.log(`\nToo rare to prove anything: ${rareNames.join(', ')}`);
		console.log(`\nDigest of all traces: ${createHash('sha256').update(digests.join()).digest('hex').slice(0, 16)}`);
		const first = failures.find((failure) => failure !== undefined);
		return first ? printWorld(first) : rareNames.length > 0 ? 1 : 0;
	},
);

function parseWorld(text: string): World {
	let world: Partial<World> | null = null;
	try {
		world = JSON.parse(text) as Partial<World> | null;
	} catch {
		// Not JSON; the shell may have taken away its quotes.
	}
	if (world && typeof world.seed === 'number' && Array.isArray(world.runs)) return world as World;
	throw new InvalidArgumentError('It takes a world in JSON, in single quotes, as a failure prints it.');
}

function addFigures(totals: WorldFigures, figures: WorldFigures): void {
	for (const name of ['worlds', 'requests', 'simulatedMs'] as const) totals[name] += figures[name];
	for (const name of ['faults', 'tested', 'broken'] as const) {
		for (const [key, count] of Object.entries(figures[name])) totals[name][key] = (totals[name][key] ?? 0) + count;
	}
}

function printShares(title: string, counts: Record<string, number>, worlds: number): void {
	console.log(`\nPercentage of worlds in which ${title}:`);
	const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
	for (const [key, count] of sorted) console.log(`${((100 * count) / worlds).toFixed(2).padStart(7)}  ${key}`);
}

/** @returns the exit code */
function printWorld({ world, trace, problems }: BrokenWorld): number {
	console.log(`\nThe world:\n${JSON.stringify(world, null, 1)}\n`);
	console.log(`What happened, in milliseconds (run.attempt; -1 is a login, -2 the trigger):\n${trace.join('\n')}\n`);
	const reproduceCommand = `npm run simulate -- --world '${JSON.stringify(world)}'`;
	console.log(
		problems.length === 0 ? 'All promises were kept' : `${problems.join('\n')}\n\nTo reproduce it: ${reproduceCommand}`,
	);
	return problems.length === 0 ? 0 : 1;
}

const ACCEPTED_FILE = path.join(ROOT, 'simulation', 'throughput.json');

/** @returns the exit code */
async function printThroughput(isAccepting: boolean): Promise<number> {
	const accepted = JSON.parse(readFileSync(ACCEPTED_FILE, 'utf8')) as Record<string, ServiceFigures>;
	const figures: Record<string, ServiceFigures> = {};
	let worseCount = 0;
	console.log('seconds  failed %  errors  unknown');
	for (const [name, service] of Object.entries(SERVICES)) {
		const currentFigures = (figures[name] = await measure(service));
		const problem = describeRegressions(currentFigures, accepted[name]);
		if (problem) worseCount++;
		const cells = [
			(currentFigures.ms / 1_000).toFixed(1),
			currentFigures.failedPercent.toFixed(1),
			currentFigures.errors,
			currentFigures.unknown,
		];
		console.log(
			`${cells.map((cell) => String(cell).padStart(7)).join(' ')}  ${name}${problem && `: WORSE: ${problem}`}`,
		);
	}
	if (isAccepting) {
		const lines = Object.entries(figures).map(([name, each]) => `\t"${name}": ${JSON.stringify(each)}`);
		writeFileSync(ACCEPTED_FILE, `{\n${lines.join(',\n')}\n}\n`);
	}
	return worseCount > 0 && !isAccepting ? 1 : 0;
}

/** The date as a number, so that everyone simulates the same worlds on the same day. */
const getToday = () => Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));

type Task = Parameters<typeof simulateWorlds>;

/** Runs tasks in one process per core. */
async function runInProcesses(
	tasks: Task[],
	onResult: (task: Task, result: Awaited<ReturnType<typeof simulateWorlds>>) => void,
): Promise<void> {
	const workers = new Worker(path.join(ROOT, 'simulation', 'simulate.ts'), {
		exposedMethods: ['simulate'],
		numWorkers: Math.min(tasks.length, availableParallelism()),
		forkOptions: { execArgv: ['--import', 'tsx', '--max-semi-space-size=32'] },
	}) as Worker & { simulate: typeof simulateWorlds };
	workers.getStderr().pipe(process.stderr);
	try {
		await Promise.all(tasks.map(async (task) => onResult(task, await workers.simulate(...task))));
	} finally {
		await workers.end();
	}
}
