import { figure, ratio, tookPart } from '../figures.mjs';
import { spread } from '../statistics.mjs';
import { tableOf } from '../table.mjs';
import { kilobytes, number, percent, withSpread } from '../words.mjs';
import { paragraphs, table } from './markdown.mjs';
import { PROMISES } from './promises.mjs';

/** @typedef {import('../results.mjs').Results} Results */

/**
 * What must hold, each with its figure and whether it does.
 * @param {Results[]} all
 */
export function promises(all) {
	const cell = ({ only, check }, results) => {
		if (only && only !== results.n8n) return '–';
		const checked = check(results);
		return checked ? `${checked.holds ? '✓' : '✗'} ${checked.figure}` : 'not measured';
	};
	return table(
		['What must hold', ...all.map(({ n8n }) => `n8n ${n8n}`)],
		PROMISES.map((promise) => [promise.says, ...all.map((results) => cell(promise, results))]),
	);
}

/**
 * A scenario's tables, one for each version of n8n.
 * @param {Results[]} all
 * @param {string} id
 * @param {string} [words] below the heading
 */
export function scenario(all, id, words) {
	const measured = all.filter(({ scenarios }) => scenarios[id]);
	if (measured.length === 0) return undefined;
	const { title } = measured[0].scenarios[id].scenario;
	return paragraphs(
		`### ${title}`,
		words,
		...measured.flatMap(({ n8n, scenarios }) => [`n8n ${n8n}`, entries(scenarios[id])]),
	);
}

function entries(result) {
	const { head, rows } = tableOf(result);
	return table(head, rows);
}

/** Those that n8n's floor is set beside. */
const ABOVE_THE_FLOOR = ['voiceAdmin', 'httpRequest', 'plain'];

/**
 * How many times as long as n8n's floor each one takes; as a note, how far both are from Node's http alone.
 * @param {Results[]} all
 */
export function besideTheFloor(all) {
	const measured = all.flatMap(({ n8n, scenarios }) => Object.values(scenarios).flatMap((result) => (tookPart(result, 'floor') ? { n8n, result } : [])));
	if (measured.length === 0) return undefined;
	const nameOf = (id) => measured[0].result.scenario.entries.find((entry) => entry.id === id).name;
	const times = (result, id, other) => withSpread(ratio(result, id, other, 'seconds'));
	const bare = measured.filter(({ result }) => tookPart(result, 'limit-200'));
	return paragraphs(
		'What a node can reach at best: a programmatic one that calls n8n’s own `httpRequest` for each item, with 100 in flight, and does nothing else ([bench/peers/n8n-nodes-bench-floor](../bench/peers/n8n-nodes-bench-floor/)). It has no credential, no expressions and no retries, so that nobody would take it. What is above 1 is what a node itself adds:',
		table(
			['times as long as n8n’s floor', ...ABOVE_THE_FLOOR.map(nameOf)],
			measured.map(({ n8n, result }) => [`${result.scenario.title}, n8n ${n8n}`, ...ABOVE_THE_FLOOR.map((id) => times(result, id, 'floor'))]),
		),
		bare.length > 0 && 'As a note, Node’s http alone with 200 in flight. It keeps its connections; n8n makes a new agent and a new connection for each request, for every node alike, so that no node can come near it:',
		bare.length > 0 &&
			table(
				['times as long as Node’s http', nameOf('voiceAdmin'), nameOf('floor')],
				bare.map(({ n8n, result }) => [`${result.scenario.title}, n8n ${n8n}`, times(result, 'voiceAdmin', 'limit-200'), times(result, 'floor', 'limit-200')]),
			),
	);
}

/**
 * What the bound on requests in flight costs where replies are slow, and what it spares the service.
 * @param {Results[]} all
 */
export function costOfTheBound(all) {
	const rows = all.flatMap(({ n8n, scenarios }) => {
		const result = scenarios['latency-1500'];
		if (!result) return [];
		return ['httpRequest', 'plain'].map((peer) => [
			`n8n ${n8n}, against ${result.scenario.entries.find(({ id }) => id === peer).name}`,
			withSpread(ratio(result, 'voiceAdmin', peer, 'seconds')),
			`${number(figure(result, 'voiceAdmin', 'peakInFlight').max)} instead of ${number(figure(result, peer, 'peakInFlight').max)}`,
			`${number(figure(result, 'voiceAdmin', 'sockets').median)} instead of ${number(figure(result, peer, 'sockets').median)}`,
		]);
	});
	if (rows.length === 0) return undefined;
	return paragraphs(
		'The other nodes send all that they have, however much is on its way already. With *Max Concurrency* at its default of 200 this node does not, and where replies are slow that costs time:',
		table(['2,000 items at 1.5 s', 'times as long', 'the service has in flight', 'and connections to open'], rows),
	);
}

/** @param {Results[]} all */
export function installed(all) {
	const measured = all.filter((results) => results.installed);
	if (measured.length === 0) return undefined;
	return table(
		['', 'time to load, ms', 'tarball'],
		measured.map(({ n8n, installed: { load, tarball } }) => [`n8n ${n8n}`, withSpread(spread(load)), kilobytes(tarball)]),
	);
}

/** How many functions of a profile are worth showing. */
const FUNCTIONS = 12;

/**
 * For what does not hold: where the time goes instead.
 * @param {Results[]} all
 */
export function profiles(all) {
	return paragraphs(...all.flatMap((results) => broken(results).map(({ id, missed }) => profileOf(results, id, missed))));
}

function broken(results) {
	const ids = new Map();
	for (const promise of PROMISES) {
		const { only, profile, check } = promise;
		if (!profile || (only && only !== results.n8n) || (check(results)?.holds ?? true)) continue;
		ids.set(profile, [...(ids.get(profile) ?? []), promise]);
	}
	return [...ids].map(([id, missed]) => ({ id, missed }));
}

function profileOf(results, id, promised) {
	const heading = `### ${results.scenarios[id].scenario.title}, n8n ${results.n8n}`;
	const missed = paragraphs(`Not reached: ${promised.map(({ says }) => says).join('; ')}.`, ...promised.map(({ because }) => because));
	const profile = results.profiles?.[id];
	if (!profile) return paragraphs(heading, missed, `Not profiled yet: \`npm run bench -- --n8n ${results.n8n} --profile ${id}\`.`);
	const { busy, idle, functions, packages } = profile;
	const whose = packages.slice(0, 6).map(({ name, self }) => `${name} ${percent(self / busy)}`);
	return paragraphs(
		heading,
		missed,
		`Of the node's time the process is busy for ${number(busy / 1000)} s and waits for the service for ${number(idle / 1000)} s (under the profiler, which slows it down). Whose own code is busy: ${whose.join(', ')}.`,
		table(
			['function, with all that it calls', 'of', 'share of the busy time'],
			functions.slice(0, FUNCTIONS).map(({ name, place, whole }) => [`\`${name}\``, place, percent(whole / busy)]),
		),
	);
}
