import { Failure } from '../setup/failure.mjs';
import { N8N_VERSIONS } from '../setup/n8n-versions.mjs';

export const HELP = `npm start [-- options]

Installs what is needed, starts a sandbox of the API and a real n8n with this package in it,
runs the tour workflow once, and leaves n8n's editor open for you until Ctrl-C.

  --once              stop after the tour; exit code 0 only if every row came out as expected
  --port N            port of n8n's editor (5678)
  --sandbox-port N    port of the sandbox (3456)
  --n8n VERSION       ${N8N_VERSIONS.map(({ version }) => version).join(' or ')}; chosen by the version of Node otherwise
  --no-open           do not open a browser
  --help              this text`;

const FLAGS = { '--once': 'once', '--no-open': 'noOpen', '--help': 'help', '-h': 'help' };
const VALUES = { '--port': 'port', '--sandbox-port': 'sandboxPort', '--n8n': 'n8n' };

/**
 * Reads the command line of `npm start`.
 * @param {string[]} args
 * @returns {{ once: boolean, noOpen: boolean, help: boolean, port: number, sandboxPort: number, n8n?: string }}
 */
export function readOptions(args) {
	const options = { once: false, noOpen: false, help: false, port: 5678, sandboxPort: 3456, n8n: undefined };
	const rest = args.flatMap((arg) => (/^--[^=]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg]));
	while (rest.length > 0) {
		const option = rest.shift();
		if (option in FLAGS) {
			options[FLAGS[option]] = true;
		} else if (option in VALUES) {
			const value = rest.shift();
			if (value === undefined || value.startsWith('--')) throw new Failure(`The option ${option} needs a value: npm start -- ${option} ${option === '--n8n' ? N8N_VERSIONS[0].version : options[VALUES[option]]}`);
			options[VALUES[option]] = option === '--n8n' ? value : portNumber(option, value);
		} else {
			throw new Failure(`npm start does not know ${option}. Options come after a double dash, as in npm start -- --once; npm start -- --help lists them.`);
		}
	}
	if (options.port === options.sandboxPort) throw new Failure(`n8n and the sandbox can't share port ${options.port}: give --port and --sandbox-port different values.`);
	return options;
}

function portNumber(option, text) {
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1 || port > 65535) throw new Failure(`${option} takes a port from 1 to 65535, not ${text}.`);
	return port;
}
