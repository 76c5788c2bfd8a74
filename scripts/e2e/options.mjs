import { Failure } from '../setup/failure.mjs';
import { N8N_VERSIONS, NEWEST } from '../setup/n8n-versions.mjs';
import { readArguments } from '../setup/options.mjs';

/** The versions that are tested by default. */
export const ALL = N8N_VERSIONS.map(({ version }) => version);

/**
 * What `-- --help` prints.
 * @param {{ script: string, what: string, withoutN8n?: boolean }} suite
 */
export const help = (suite) => (suite.withoutN8n ? helpWithoutN8n(suite) : helpWithN8n(suite));

const helpWithoutN8n = ({ script, what }) => `npm run ${script} [-- options] [-- arguments of jest]

Starts the sandbox and ${what}. It needs no n8n.

  --help          this text

Anything else goes to jest, such as -t 'phone'.
Exit code: 0 all passed; 1 a test failed or something is missing.`;

const helpWithN8n = ({ script, what }) => `npm run ${script} [-- options] [-- arguments of jest]

Installs n8n ${ALL.join(' and n8n ')} from their committed lock files, installs the packed package into each
and ${what}, against the sandbox.

  --n8n VERSION   only this version: ${ALL.join(' or ')}; or ${NEWEST}: that of the registry, without a lock
  --help          this text

Anything else goes to jest, such as -t 'wrong key'.
Exit code: 0 all passed; 1 a test failed or something is missing; 2 n8n itself could not be installed or started.`;

/**
 * Reads a command line.
 * @param {string} script
 * @param {string[]} args
 * @returns {{ help: boolean, versions: string[], jestArguments: string[] }} versions: those asked for, none for all
 */
export function readOptions(script, args) {
	const n8n = { type: 'string', multiple: true, example: ALL[0], parse: knownVersion };
	const { values, others } = readArguments(`npm run ${script}`, args, { n8n });
	return { help: values.help, versions: values.n8n, jestArguments: others };
}

function knownVersion(version) {
	if (ALL.includes(version) || version === NEWEST) return version;
	throw new Failure(`--n8n takes one of the versions that this project has pinned, ${ALL.join(' or ')}, or ${NEWEST}, not ${version}.`);
}
