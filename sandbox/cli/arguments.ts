import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { parseFaultPlan } from '../faults/parsePlan';
import { describeFaults, type FaultPlan, scopeParameters } from '../faults/schema';
import type { SandboxOptions } from '../index';
import { type Profile, PROFILES } from '../profiles';

/** A command line that cannot be used. The message says which flag, what was given and what is accepted. */
export class CliArgumentError extends Error {}

const DEFAULT_PORT = 3456;

export const HELP = `Starts a sandbox of the voice and customer administration API on this machine.

Usage: npm run sandbox -- [flags]

  --port <number>        Port to listen on (default ${DEFAULT_PORT}; 0 picks a free one)
  --host <address>       Address to listen on (default 127.0.0.1, so that only this machine can reach it)
  --token-ttl <seconds>  Lifetime of an access token, such as 3600 or 0.5 (default 3600)
  --latency <ms>         Delay of every response in milliseconds (default 0)
  --faults <json>        Faults to inject: a list of rules, or @ followed by the name of a file that contains one
  --profile <name>       A kind of service whose errors, statuses and tokens the sandbox is to have (names below)
  --seed <number>        The same seed gives the same faults for the same requests (default 1)
  --verbose              Print each request even if the output is not a terminal
  --help                 Show this text

Faults, such as --faults '[{"fault": "http503", "rate": 0.05}, {"fault": "resetAfter", "method": "POST", "count": 1}]'

${describeFaults()
	.map(({ name, parameters }) => `  ${name.padEnd(23)}${parameters.join(', ')}`.trimEnd())
	.join('\n')}

All of them except tokenExpires also accept ${scopeParameters.join(', ')}: the share of requests affected (0 to 1),
a path and everything below it, an HTTP method, text that the request body must contain, the maximum number of requests
affected, and how many matching requests to skip first.
To add a rate limit: {"seed": 7, "rules": […], "rateLimit": {"perSecond": 50}}

Profiles: ${PROFILES.map(({ name }) => name).join(', ')}
`;

const flags = {
	port: { type: 'string' },
	host: { type: 'string' },
	'token-ttl': { type: 'string' },
	latency: { type: 'string' },
	faults: { type: 'string' },
	profile: { type: 'string' },
	seed: { type: 'string' },
	verbose: { type: 'boolean' },
	help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Reads a command line.
 * @param argv without the program's own name
 * @returns verbose: whether to print each request even where the output is not a terminal
 * @throws {CliArgumentError} if a flag is not known or its value is not accepted
 */
export function parseCliArguments(argv: string[]): { help: boolean; verbose: boolean; options: SandboxOptions } {
	const values = valuesIn(argv);
	return {
		help: values.help ?? false,
		verbose: values.verbose ?? false,
		options: {
			port: numberIn('--port', values.port, 'an integer from 0 to 65535', (port) => Number.isInteger(port) && port >= 0 && port <= 65535) ?? DEFAULT_PORT,
			host: values.host,
			tokenTtlSeconds: numberIn('--token-ttl', values['token-ttl'], 'a number of seconds above 0', (seconds) => seconds > 0),
			latencyMs: numberIn('--latency', values.latency, 'a number of milliseconds from 0 to 600000', (ms) => ms >= 0 && ms <= 600_000),
			seed: numberIn('--seed', values.seed, 'an integer', Number.isSafeInteger),
			faults: values.faults === undefined ? undefined : faultsIn(values.faults),
			profile: values.profile === undefined ? undefined : profileIn(values.profile),
		},
	};
}

function valuesIn(argv: string[]) {
	try {
		return parseArgs({ args: argv, options: flags }).values;
	} catch (error) {
		// Node says which flag is not known, lacks its value, or has one that it doesn't take.
		throw new CliArgumentError((error as Error).message);
	}
}

function numberIn(flag: string, given: string | undefined, accepted: string, test: (value: number) => boolean): number | undefined {
	if (given === undefined) return undefined;
	const value = /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
	if (!test(value)) throw new CliArgumentError(`${flag} is "${given}"; expected ${accepted}`);
	return value;
}

function profileIn(given: string): Profile {
	const profile = PROFILES.find(({ name }) => name === given.toLowerCase());
	if (!profile) throw new CliArgumentError(`--profile is "${given}"; expected one of ${PROFILES.map(({ name }) => name).join(', ')}`);
	return profile;
}

/** @param given JSON, or @ and the name of a file that contains it */
function faultsIn(given: string): FaultPlan {
	try {
		return parseFaultPlan(JSON.parse(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given));
	} catch (error) {
		throw new CliArgumentError(`--faults: ${(error as Error).message}; expected a list such as [{"fault": "http503"}]`);
	}
}
