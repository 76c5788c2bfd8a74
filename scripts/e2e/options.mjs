import { Failure } from '../setup/failure.mjs';
import { N8N_VERSIONS, NEWEST } from '../setup/n8n-versions.mjs';

const ALL = N8N_VERSIONS.map(({ version }) => version);

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
 * @param {string[]} args
 * @returns {{ help: boolean, versions: string[], jestArguments: string[] }}
 */
export function readOptions(args) {
	const options = { help: false, versions: [], jestArguments: [] };
	const rest = args.flatMap((arg) => (arg.startsWith('--n8n=') ? ['--n8n', arg.slice('--n8n='.length)] : [arg]));
	while (rest.length > 0) {
		const arg = rest.shift();
		if (arg === '--help' || arg === '-h') options.help = true;
		else if (arg === '--n8n') options.versions.push(knownVersion(rest.shift()));
		else options.jestArguments.push(arg);
	}
	return { ...options, versions: options.versions.length > 0 ? options.versions : ALL };
}

function knownVersion(version) {
	if (ALL.includes(version) || version === NEWEST) return version;
	throw new Failure(`--n8n takes one of the versions that this project has pinned, ${ALL.join(' or ')}, or ${NEWEST}${version === undefined ? '' : `, not ${version}`}.`);
}
