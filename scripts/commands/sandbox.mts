import { readFileSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { Failure } from '../bootstrap/failure.mjs';
import { ApiError } from '../../sandbox/apiError.ts';
import { FAULTS, scope } from '../../sandbox/faults/faults.ts';
import {
	BROKEN_TRUNK_ID,
	DEMO_CLIENT,
	type FaultPlan,
	parseFaultPlan,
	READ_ONLY_CLIENT,
	startSandbox,
} from '../../sandbox/index.ts';
import { commandLine, defineCommand, numberFrom } from './command.mts';

/** Each fault with its own parameters. */
const FAULT_LINES = Object.entries(FAULTS).map(([name, { parameters }]) =>
	`  ${name.padEnd(23)}${Object.keys(parameters)
		.filter((parameter) => !(parameter in scope))
		.join(', ')}`.trimEnd(),
);

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
		.option('--latency <MS>', 'delay of every response in milliseconds', numberFrom(0, 600_000), 0)
		.option(
			'--faults <JSON>',
			'faults to inject: a list of rules, or @ followed by the name of a file that contains one',
			readFaults,
		)
		.addHelpText(
			'after',
			`
Faults, such as --faults '[{"fault": "http", "status": 503, "rate": 0.05}, {"fault": "resetAfter", "method": "POST", "count": 1}]'

${FAULT_LINES.join('\n')}

All of them except tokenExpires also accept ${Object.keys(scope).join(', ')}: the share of requests affected (0 to 1),
a path and everything below it, an HTTP method, text that the request body must contain, the maximum number of requests
affected, how many matching requests to skip first, and to affect only every nth.
With a seed for what is drawn: {"seed": 7, "rules": […]}`,
		),
	async ({ tokenTtl: tokenTtlSeconds, latency: latencyMs, ...options }, { runsUntilStopped }) => {
		runsUntilStopped(() => console.log('\nThe sandbox has stopped.'));
		const started = startSandbox({ ...options, tokenTtlSeconds, latencyMs, log: (line) => console.log(line) });
		const { url } = await started.catch((error: Error) => {
			throw new Failure(error.message);
		});
		console.log(banner(url));
		// Runs until Ctrl-C.
		await new Promise(() => {});
	},
);

/** @param text JSON, or @ and the name of a file, relative to the folder in which npm was run */
function readFaults(text: string): FaultPlan {
	try {
		const json = text.startsWith('@')
			? readFileSync(path.resolve(process.env.INIT_CWD ?? '.', text.slice(1)), 'utf8')
			: text;
		return parseFaultPlan(JSON.parse(json));
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

It contains:
  Organization 10, Milano Telefonia: trunks 1001 to 1004, gateways 1 to 4
  Organization 20, Torino Voce: trunks 1005 to 1008, gateways 5 to 8
  Organization 30, Palermo Reti: trunks 1009 to 1012, gateways 9 to 12
Gateways 2, 6 and 10 have no termination URI; that of 3, 7 and 11 is null.
Trunk ${BROKEN_TRUNK_ID} is broken on purpose: setting premium on it gives 500.

Records and requests so far: ${url}/_sandbox/state and ${url}/_sandbox/requests
Start over: curl -X POST ${url}/_sandbox/reset
Make the next customer fail: curl -X PUT ${url}/_sandbox/faults -d '[{"fault": "http", "status": 503, "path": "/v1/customers/add", "count": 1}]'
Stop: Ctrl-C
`;
