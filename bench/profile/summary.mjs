/** Starting and writing the profile is not the node's. */
const OURS = 'n8n-nodes-bench-track';

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/;

/** Functions shown, and the share of the busy time below which one is not worth a line. */
const MOST_FUNCTIONS = 25;
const LEAST_SHARE = 0.02;

/**
 * Where the processor's time went between the starting and the finish line, in ms.
 * @typedef {object} Profile
 * @property {number} idle waiting for the service
 * @property {number} busy
 * @property {{ name: string, self: number }[]} packages whose own code ran
 * @property {{ name: string, place: string, whole: number }[]} functions with all that they called
 */

/**
 * Sums up a CPU profile.
 * @param {{ nodes: object[], samples: number[], timeDeltas: number[] }} profile as V8 writes it
 * @returns {Profile}
 */
export function summaryOf({ nodes, samples, timeDeltas }) {
	const self = new Map(nodes.map(({ id }) => [id, 0]));
	samples.forEach((id, index) => self.set(id, self.get(id) + timeDeltas[index] / 1000));
	const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
	const byId = new Map(nodes.map((node) => [node.id, node]));

	const packages = new Map();
	const functions = new Map();
	let idle = 0;
	let busy = 0;
	for (const { id, callFrame } of nodes) {
		const time = self.get(id);
		if (callFrame.functionName === '(idle)') {
			idle += time;
			continue;
		}
		const stack = framesAbove(id, byId, parents);
		if (stack.some(({ url }) => url.includes(OURS))) continue;
		busy += time;
		add(packages, placeOf(callFrame), time);
		// Each function once for a stack, however often it is in it.
		const named = stack.filter(({ url, functionName }) => PACKAGE.test(url) && functionName !== '');
		for (const key of new Set(named.map((frame) => `${frame.functionName}\n${placeOf(frame)}`))) add(functions, key, time);
	}
	return {
		idle,
		busy,
		packages: sorted(packages).map(([name, time]) => ({ name, self: time })),
		functions: sorted(functions)
			.filter(([, time]) => time / busy >= LEAST_SHARE)
			.slice(0, MOST_FUNCTIONS)
			.map(([key, whole]) => ({ name: key.split('\n')[0], place: key.split('\n')[1], whole })),
	};
}

/** The functions that were under way: the one of this node of the profile, and all that led to it. */
function framesAbove(id, byId, parents) {
	const frames = [];
	for (let at = id; at !== undefined; at = parents.get(at)) frames.push(byId.get(at).callFrame);
	return frames;
}

/** The package that a function is part of, or what it is instead. */
function placeOf({ url, functionName }) {
	if (url.startsWith('node:')) return `Node (${url.slice('node:'.length).replace(/^internal\//, '').split('/')[0]})`;
	if (url === '') return functionName.startsWith('(') ? functionName : 'native code';
	return PACKAGE.exec(url)?.[1] ?? url;
}

function add(map, key, time) {
	map.set(key, (map.get(key) ?? 0) + time);
}

const sorted = (map) => [...map].sort(([, a], [, b]) => b - a);
