import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { N8n } from '../scripts/n8n/home.mts';
import { fromRoot } from '../scripts/bootstrap/paths.mjs';
import { step } from '../scripts/bootstrap/progress.mjs';
import { plainTable } from '../scripts/lib/table.mts';
import { startExecution } from './harness/execute.mts';
import { makeFixture } from './harness/fixture.mts';
import { waitForIdleCpu } from './harness/round.mts';
import { number, percent } from './metrics.mts';
import { plan } from './plan.mts';
import { BENCH, updateResults } from './results.mts';

/** Where the processor's time went while a node ran, in ms. idle: waiting; packages: whose own code ran; functions: with all that they called */
export interface Profile {
	idle: number;
	busy: number;
	packages: Array<{ name: string; time: number }>;
	functions: Array<{ name: string; place: string; time: number }>;
}

type Frame = Record<'functionName' | 'url', string>;

/** As V8 writes it; timeDeltas in microseconds. */
interface CpuProfile {
	nodes: Array<{ id: number; callFrame: Frame; children?: number[] }>;
	samples: number[];
	timeDeltas: number[];
}

/** Functions that are kept, and the share of the busy time below which one is not worth a line. */
const MOST_FUNCTIONS = 25;
const LEAST_SHARE = 0.02;

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/;
/** Starting and writing the profile is not the node's. */
const HARNESS = 'n8n-nodes-bench-harness';

/** Runs this package's node once in a scenario under the CPU profiler; shows and keeps where the time went. */
export async function profileNode(n8n: N8n, id: string, quick: boolean): Promise<void> {
	const run = plan({ only: [id], rounds: 1, quick })[0]?.rounds[0]?.find(({ scenario, variant }) => variant.contender === 'voiceAdmin' && !scenario.server);
	if (!run) {
		console.log(`Nothing to profile in ${id}: this package's node has no process of its own there.`);
		return;
	}
	const { service, turns } = await makeFixture(n8n, [run]);
	const file = path.join(BENCH, 'profiles', `${n8n.version}-${id}.cpuprofile`);
	mkdirSync(path.dirname(file), { recursive: true });
	const time = await step(`${run.scenario.title}, n8n ${n8n.version}, under the profiler`, async () => {
		const { go } = await startExecution(n8n, run, turns, file);
		await waitForIdleCpu();
		await service.begin(run.scenario);
		return (await go()).time;
	});
	turns.close();
	const profile = summarize(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile);
	updateResults(n8n.version, quick, (results) => (results.profiles = { ...results.profiles, [id]: profile }));
	const { idle, busy, packages, functions } = profile;
	console.log(`\nNode time under the profiler ${number(time)} ms: busy ${number(busy)} ms, waiting ${number(idle)} ms.`);
	console.log(plainTable(['whose own code', 'ms', 'of the busy time'], packages.slice(0, 15).map((one) => [one.name, number(one.time), percent(one.time / busy)])));
	console.log(plainTable(['function, with all that it called', 'of', 'ms', 'of the busy time'], functions.map((one) => [one.name, one.place, number(one.time), percent(one.time / busy)])));
	console.log(`All of it: ${fromRoot(file)} (for the Performance panel of Chrome's developer tools).`);
}

function summarize({ nodes, samples, timeDeltas }: CpuProfile): Profile {
	const times = new Map<number, number>();
	samples.forEach((id, index) => add(times, id, (timeDeltas[index] ?? 0) / 1000));
	const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
	const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
	const packages = new Map<string, number>();
	const functions = new Map<string, number>();
	let [idle, busy] = [0, 0];
	for (const { id, callFrame } of nodes) {
		const time = times.get(id) ?? 0;
		const stack: Frame[] = [];
		for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) stack.push(frames.get(at) as Frame);
		if (callFrame.functionName === '(idle)') idle += time;
		if (callFrame.functionName === '(idle)' || stack.some(({ url }) => url.includes(HARNESS))) continue;
		busy += time;
		add(packages, placeOf(callFrame), time);
		// Each function once for a stack, however often it is in it.
		const named = stack.filter(({ url, functionName }) => PACKAGE.test(url) && functionName !== '');
		for (const key of new Set(named.map((frame) => `${frame.functionName}\n${placeOf(frame)}`))) add(functions, key, time);
	}
	const sorted = (map: Map<string, number>) =>
		[...map].sort(([, a], [, b]) => b - a).map(([key, time]) => {
			const [name = '', place = ''] = key.split('\n');
			return { name, place, time };
		});
	const worthALine = sorted(functions).filter(({ time }) => time / busy >= LEAST_SHARE);
	return { idle, busy, packages: sorted(packages), functions: worthALine.slice(0, MOST_FUNCTIONS) };
}

const add = <Key,>(map: Map<Key, number>, key: Key, time: number) => void map.set(key, (map.get(key) ?? 0) + time);

/** The package that a function is part of, or what it is instead. */
function placeOf({ url, functionName }: Frame): string {
	if (url.startsWith('node:')) return `Node (${url.replace(/^node:(internal\/)?/, '').split('/')[0]})`;
	if (url === '') return functionName.startsWith('(') ? functionName : 'native code';
	return PACKAGE.exec(url)?.[1] ?? url;
}
