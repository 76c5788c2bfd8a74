import { Failure } from '../setup/failure.mjs';
import { N8N_VERSIONS } from '../setup/n8n-versions.mjs';
import { portNumber, readOptions } from '../setup/options.mjs';

export const HELP = `npm start [-- options]

Installs what is needed, starts a sandbox of the API and a real n8n with this package in it,
runs the tour workflow once, and leaves n8n's editor open for you until Ctrl-C.

  --once              stop after the tour; exit code 0 only if every row came out as expected
  --port N            port of n8n's editor (5678)
  --sandbox-port N    port of the sandbox (3456)
  --n8n VERSION       ${N8N_VERSIONS.map(({ version }) => version).join(' or ')}; chosen by the version of Node otherwise
  --no-open           do not open a browser
  --help              this text`;

/** The options that npm run created-once has too. @type {Record<string, import('../setup/options.mjs').Option>} */
export const SANDBOX_AND_N8N = {
	'sandbox-port': { type: 'string', default: '3456', parse: portNumber },
	n8n: { type: 'string', example: N8N_VERSIONS[0].version },
};

/**
 * Reads the command line of `npm start`.
 * @param {string[]} args
 * @returns {{ once: boolean, noOpen: boolean, help: boolean, port: number, sandboxPort: number, n8n?: string }}
 */
export function readStartOptions(args) {
	const { 'sandbox-port': sandboxPort, 'no-open': noOpen, ...others } = readOptions('npm start', args, {
		...SANDBOX_AND_N8N,
		port: { type: 'string', default: '5678', parse: portNumber },
		once: { type: 'boolean' },
		'no-open': { type: 'boolean' },
	});
	if (others.port === sandboxPort) throw new Failure(`n8n and the sandbox can't share port ${sandboxPort}: give --port and --sandbox-port different values.`);
	return { ...others, sandboxPort, noOpen };
}
