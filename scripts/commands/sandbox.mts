import { InvalidArgumentError } from '@commander-js/extra-typings';
import { ApiError } from '../../sandbox/apiError.ts';
import { type Fault, FAULTS, ruleFilters } from '../../sandbox/faults/faults.ts';
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
import { createProgram, defineCommand, createNumberParser } from './command.mts';

const parseLifetime = createNumberParser(0.1, 1e9, /^\d*\.?\d+$/);

export const sandbox = defineCommand(
	createProgram('npm run sandbox', 'Starts a sandbox of the voice and customer administration API on this machine.')
		.option('--port <N>', 'port to listen on; 0 picks a free one', createNumberParser(0, 65535), 3456)
		.option('--host <ADDRESS>', 'address to listen on; with the default, only this machine is served', '127.0.0.1')
		.option('--token-ttl <SECONDS>', 'lifetime of an access token, such as 3600 or 0.5', parseLifetime, 3600)
		.option('--faults <JSON>', 'faults to inject: a list of rules', parseFaults)
		.addHelpText('after', formatFaultsHelp),
	async ({ tokenTtl: tokenTtlSeconds, ...options }, { expectStop }) => {
		expectStop(() => console.log('\nThe sandbox has stopped.'));
		// By default at all addresses: localhost could be another program's.
		const hosts = options.host === '127.0.0.1' ? undefined : [options.host];
		if (options.port > 0) await requireFreePort(options.port, '--port', hosts);
		const starting = startSandbox({ ...options, tokenTtlSeconds, log: (line) => console.log(line) });
		const { url } = await starting.catch((error: NodeJS.ErrnoException) => {
			// Of the system: it doesn't know the name, or the address is another machine's.
			if (error.syscall === undefined) throw error;
			const accepted = 'It takes an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.';
			throw new Failure(`The sandbox can't listen on --host ${options.host} (${error.code}). ${accepted}`);
		});
		console.log(formatBanner(url));
		// Runs until Ctrl-C.
		await new Promise(() => {});
	},
);

/** Explains the rules of --faults: each fault with its fields. */
function formatFaultsHelp(): string {
	const formatFields = (fields: Array<[string, Fault['parameters'][string]]>) =>
		fields.map(([name, { description }]) => `    ${name.padEnd(17)}  ${description}`);
	const faults = Object.entries<Fault>(FAULTS).flatMap(([name, { description, parameters }]) => [
		`  ${name.padEnd(19)}  ${description}`,
		...formatFields(Object.entries(parameters).filter(([field]) => !(field in ruleFilters))),
	]);
	return `
Faults, such as --faults '[{"fault": "http", "status": 503, "rate": 0.05}, {"fault": "resetAfter", "method": "POST", "count": 1}]':
${faults.join('\n')}
All of them except tokenExpires also accept:
${formatFields(Object.entries(ruleFilters)).join('\n')}`;
}

function parseFaults(text: string): FaultRule[] {
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

const formatBanner = (url: string) => `The sandbox listens on ${url}

Watch its requests and turn on faults in a browser: ${url}/

For a Voice Admin API credential in n8n:
  Production Base URL      ${url}
  Client ID                ${DEMO_CLIENT.clientId}
  API Key (Client Secret)  ${DEMO_CLIENT.clientSecret}
Read only, for a 403 on every change: ${READ_ONLY_CLIENT.clientId} with ${READ_ONLY_CLIENT.clientSecret}

Trunks 1001 to 1012 and gateways 1 to 12 exist. Setting premium on trunk ${BROKEN_TRUNK_ID} gives 500, on purpose.
Stop: Ctrl-C
`;
