import { Failure } from '../scripts/bootstrap/failure.mjs';
import { N8N_VERSION } from '../scripts/install/n8nVersions.mts';
import type { Values } from '../scripts/commands/command.mts';
import { SCENARIOS } from './scenarios.mts';

/** What being installed costs: measured beside the scenarios, and chosen like one. */
export const INSTALLED = 'installed';

export const SUMMARY = `Measures this package's node, n8n's HTTP Request node, a plain declarative node and n8n's floor, the least
that a node can do, in a real n8n, side by side and in turn, against a service that counts. The results are
kept in .cache/bench.`;

export const OPTIONS = {
	n8n: N8N_VERSION,
	only: { type: 'string', value: 'SCENARIO', help: 'only this one; may be given several times', multiple: true, example: 'get-cold', parse: scenarioOrInstalled },
	rounds: { type: 'string', value: 'N', help: 'how often everything is run (5)', default: '5', parse: rounds },
	quick: { type: 'boolean', help: 'one round and a tenth of the items, for a look; kept apart from the results' },
	report: { type: 'boolean', help: 'writes docs/benchmarks.md and its plots from the results that are there' },
} as const;

export type BenchOptions = Values<typeof OPTIONS>;

export const NOTES = `Scenarios
${Object.entries(SCENARIOS)
	.map(([id, { title, onRequest }]) => `  ${id.padEnd(18)}  ${title}${onRequest ? ' (only on request)' : ''}`)
	.join('\n')}
  ${INSTALLED.padEnd(18)}  Time to load the package, size of its tarball`;

function scenarioOrInstalled(id: string, option: string): string {
	return id === INSTALLED ? id : scenario(id, option);
}

function scenario(id: string, option: string): string {
	if (id in SCENARIOS) return id;
	throw new Failure(`${option} takes the name of a scenario, not ${id}: ${Object.keys(SCENARIOS).join(', ')}.`);
}

function rounds(text: string): number {
	if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
	throw new Failure(`--rounds takes a number from 1 to 999, not ${text}.`);
}
