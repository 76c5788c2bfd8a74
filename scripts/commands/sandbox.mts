import { InvalidArgumentError } from '@commander-js/extra-typings';
import { ApiError } from '../../sandbox/apiError.ts';
import { type Fault, FAULTS, scope } from '../../sandbox/faults/faults.ts';
import {
	BROKEN_TRUNK_ID,
	DEMO_CLIENT,
	type FaultRule,
	parseFaultRules,
	READ_ONLY_CLIENT,
	startSandbox,
} from '../../sandbox/index.ts';
import { Failure } from '../bootstrap/failure.mjs';
import { requireFreePort } from '../servers/ports.mts';
import { commandLine, defineCommand, numberFrom } from './command.mts';

export const sandbox = defineCommand(
	commandLine('npm run sandbox', 'Starts a sandbox of the voice and customer administration API on this machine.')
		.option('--port <N>', 'port to listen on; 0 picks a free one', numberFrom(0, 65535), 3456)
		.option(
			'--host <ADDRESS>',
			'address to listen on; without it, only this machine can reach the sandbox',
			'127.0.0.1',
		)
		.option(
			'--token-ttl <SECONDS>',
			'lifetime of an access token, such as 3600 or 0.5',
			numberFrom(0.1, 1e9, /^\d*\.?\d+$/),
			3600,
		)
		.option('--faults <JSON>', 'faults to inject: a list of rules', readFaults)
		.addHelpText('after', faultsHelp),
	async ({ tokenTtl: tokenTtlSeconds, ...options }, { runsUntilStopped }) => {
		runsUntilStopped(() => console.log('\nThe sandbox has stopped.'));
		if (options.port > 0) await requireFreePort(options.port, '--port');
		const { url } = await startSandbox({ ...options, tokenTtlSeconds, log: (line) => console.log(line) }).catch(
			(error: NodeJS.ErrnoException) => {
				// Of the system: it doesn't know the name, or the address is another machine's.
				if (error.syscall === undefined) throw error;
				throw new Failure(
					`The sandbox can't listen on --host ${options.host} (${error.code}). ` +
						'It takes an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.',
				);
			},
		);
		console.log(banner(url));
		// Runs until Ctrl-C.
		await new Promise(() => {});
	},
);

/** Explains the rules of --faults: each fault with its fields. */
function faultsHelp(): string {
	const formatFields = (parameters: Fault['parameters']) =>
		Object.entries(parameters).map(([name, { description }]) => `    ${name.padEnd(17)}  ${description}`);
	const faults = Object.entries<Fault>(FAULTS).flatMap(([name, { description, parameters }]) => [
		`  ${name.padEnd(19)}  ${description}`,
		...formatFields(parameters).filter((_, index) => !(Object.keys(parameters)[index]! in scope)),
	]);
	return `
Faults, such as --faults '[{"fault": "http", "status": 503, "rate": 0.05}, {"fault": "resetAfter", "method": "POST", "count": 1}]':
${faults.join('\n')}
All of them except tokenExpires also accept:
${formatFields(scope).join('\n')}`;
}

function readFaults(text: string): FaultRule[] {
	try {
		return parseFaultRules(JSON.parse(text));
	} catch (error) {
		const { details } = error as Partial<ApiError>;
		const reasons = Array.isArray(details)
			? details.map(({ field, message }) => `${field}: ${message}`)
			: [(error as Error).message];
		throw new InvalidArgumentError(reasons.join('\n'));
	}
}

const banner = (url: string) => `The sandbox listens on ${url}

Watch its requests and turn on faults in a browser: ${url}/

For a Voice Admin API credential in n8n:
  Production Base URL      ${url}
  Client ID                ${DEMO_CLIENT.clientId}
  API Key (Client Secret)  ${DEMO_CLIENT.clientSecret}
Read only, for a 403 on every change: ${READ_ONLY_CLIENT.clientId} with ${READ_ONLY_CLIENT.clientSecret}

Trunks 1001 to 1012 and gateways 1 to 12 exist. Setting premium on trunk ${BROKEN_TRUNK_ID} gives 500, on purpose.
Stop: Ctrl-C
`;
