import { Failure } from '../scripts/setup/failure.mjs';
import { N8N_VERSIONS } from '../scripts/setup/n8n-versions.mjs';
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

const FLAGS = { '--quick': 'quick', '--report': 'report', '--help': 'help', '-h': 'help' };
const EXAMPLES = { '--n8n': VERSIONS[0], '--only': 'get-cold', '--rounds': ROUNDS, '--profile': 'get-warm' };

/**
 * Reads the command line of `npm run bench`.
 * @param {string[]} args
 * @returns {{ help: boolean, report: boolean, quick: boolean, rounds: number, only: string[], profile?: string, n8n?: string }}
 */
export function readOptions(args) {
	const options = { help: false, report: false, quick: false, rounds: ROUNDS, only: [], profile: undefined, n8n: undefined };
	const rest = args.flatMap((arg) => (/^--[^=]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg]));
	while (rest.length > 0) {
		const option = rest.shift();
		if (option in FLAGS) options[FLAGS[option]] = true;
		else if (option in EXAMPLES) take(options, option, rest.shift());
		else throw new Failure(`npm run bench does not know ${option}. Options come after a double dash, as in npm run bench -- --quick; npm run bench -- --help lists them.`);
	}
	return options;
}

function take(options, option, value) {
	if (value === undefined || value.startsWith('--')) throw new Failure(`The option ${option} needs a value: npm run bench -- ${option} ${EXAMPLES[option]}`);
	if (option === '--n8n') options.n8n = value;
	if (option === '--only') options.only.push(value === INSTALLED ? value : scenario(option, value));
	if (option === '--profile') options.profile = scenario(option, value);
	if (option === '--rounds') options.rounds = rounds(value);
}

function scenario(option, id) {
	if (id in SCENARIOS) return id;
	throw new Failure(`${option} takes the name of a scenario, not ${id}: ${Object.keys(SCENARIOS).join(', ')}.`);
}

function rounds(text) {
	if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
	throw new Failure(`--rounds takes a number from 1 to 999, not ${text}.`);
}
