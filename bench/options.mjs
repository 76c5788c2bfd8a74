import { Failure } from '../scripts/setup/failure.mjs';
import { N8N_VERSIONS } from '../scripts/setup/n8n-versions.mjs';
import { readOptions } from '../scripts/setup/options.mjs';
import { SCENARIOS } from './scenarios.mjs';

/** What being installed costs: measured beside the scenarios, and chosen like one. */
export const INSTALLED = 'installed';

const VERSIONS = N8N_VERSIONS.map(({ version }) => version);
const ROUNDS = 5;

/** What `-- --help` prints. */
export const HELP = `npm run bench [-- options]

Measures this package's node, n8n's HTTP Request node, a plain declarative node and n8n's floor, the least
that a node can do, in a real n8n, side by side and in turn, against a service that counts. The results are
kept in .cache/bench.

  --n8n VERSION       ${VERSIONS.join(' or ')}; chosen by the version of Node otherwise
  --only SCENARIO     only this one; may be given several times
  --rounds N          how often everything is run (${ROUNDS})
  --quick             one round and a tenth of the items, for a look; kept apart from the results
  --profile SCENARIO  where this package's node spends its time in a scenario; one run, nothing else
  --report            writes docs/benchmarks.md and its plots from the results that are there
  --help              this text

Scenarios
${Object.entries(SCENARIOS)
	.map(([id, { title, onRequest }]) => `  ${id.padEnd(18)}  ${title}${onRequest ? ' (only on request)' : ''}`)
	.join('\n')}
  ${INSTALLED.padEnd(18)}  Time to load the package, size of its tarball`;

/**
 * Reads the command line of `npm run bench`.
 * @param {string[]} args
 * @returns {{ help: boolean, report: boolean, quick: boolean, rounds: number, only: string[], profile?: string, n8n?: string }}
 */
export function readBenchOptions(args) {
	return readOptions('npm run bench', args, {
		n8n: { type: 'string', example: VERSIONS[0] },
		only: { type: 'string', multiple: true, example: 'get-cold', parse: (id, option) => (id === INSTALLED ? id : scenario(id, option)) },
		rounds: { type: 'string', default: String(ROUNDS), parse: rounds },
		profile: { type: 'string', example: 'get-warm', parse: scenario },
		quick: { type: 'boolean' },
		report: { type: 'boolean' },
	});
}

function scenario(id, option) {
	if (id in SCENARIOS) return id;
	throw new Failure(`${option} takes the name of a scenario, not ${id}: ${Object.keys(SCENARIOS).join(', ')}.`);
}

function rounds(text) {
	if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
	throw new Failure(`--rounds takes a number from 1 to 999, not ${text}.`);
}
