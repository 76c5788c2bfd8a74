import { table } from './markdown.mjs';
import { number } from '../words.mjs';

const scenariosOf = ({ scenarios }) => Object.values(scenarios);

/** The first and the last of the days on which something was measured, and the fewest and most rounds. */
function summed(results) {
	const days = scenariosOf(results).map(({ measuredAt }) => measuredAt.slice(0, 10)).sort();
	const rounds = scenariosOf(results).map((result) => result.rounds.length).sort((a, b) => a - b);
	return { days: [...new Set([days[0], days.at(-1)])].join(' to '), rounds: `${[...new Set([rounds[0], rounds.at(-1)])].join(' to ')} ${rounds.at(-1) === 1 ? 'round' : 'rounds'}` };
}

const machineOf = (results) => scenariosOf(results)[0].machine;

/** The lines below a plot's title: versions and machine. @param {import('../results.mjs').Results[]} all */
export function circumstances(all) {
	const versions = all.map((results) => `n8n ${results.n8n} on Node ${machineOf(results).node}`).join(', ');
	const { processor, cores } = machineOf(all[0]);
	// Two lines: a plot is as wide as its longest.
	return [`${versions}; medians of ${summed(all[0]).rounds}`, `${processor}, ${cores} cores; ${summed(all.at(-1)).days}`];
}

/** @param {import('../results.mjs').Results[]} all */
export function machines(all) {
	return table(
		['', ...all.map(({ n8n }) => `n8n ${n8n}`)],
		[
			['Node', ...all.map((results) => machineOf(results).node)],
			['Processor', ...all.map((results) => `${machineOf(results).processor}, ${machineOf(results).cores} cores`)],
			['Memory', ...all.map((results) => `${number(machineOf(results).memory / 1e9)} GB`)],
			['System', ...all.map((results) => machineOf(results).system)],
			['Measured on', ...all.map((results) => summed(results).days)],
			['Medians of', ...all.map((results) => summed(results).rounds)],
			['Runs begun while other programs were busy', ...all.map((results) => disturbed(results))],
		],
	);
}

function disturbed(results) {
	const measurements = scenariosOf(results).flatMap(({ rounds }) => rounds.flatMap((round) => Object.values(round)));
	return `${number(measurements.filter(({ wasQuiet }) => !wasQuiet).length)} of ${number(measurements.length)}`;
}
