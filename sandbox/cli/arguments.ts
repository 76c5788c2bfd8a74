import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { ApiError, checked } from '../apiError';
import { FAULTS, parseFaultPlan, scope } from '../faults/plan';
import type { SandboxOptions } from '../index';
import { PROFILES } from '../profiles';

const DEFAULT_PORT = 3456;
const PROFILE_NAMES = PROFILES.map(({ name }) => name);

export const HELP = `Starts a sandbox of the voice and customer administration API on this machine.

Usage: npm run sandbox -- [flags]

  --port <number>        Port to listen on (default ${DEFAULT_PORT}; 0 picks a free one)
  --host <address>       Address to listen on (default 127.0.0.1, so that only this machine can reach it)
  --token-ttl <seconds>  Lifetime of an access token, such as 3600 or 0.5 (default 3600)
  --latency <ms>         Delay of every response in milliseconds (default 0)
  --faults <json>        Faults to inject: a list of rules, or @ followed by the name of a file that contains one
  --profile <name>       A kind of service whose errors, statuses and tokens the sandbox is to have (names below)
  --help                 Show this text

Faults, such as --faults '[{"fault": "http503", "rate": 0.05}, {"fault": "resetAfter", "method": "POST", "count": 1}]'

${Object.entries(FAULTS)
	.map(([name, { parameters }]) => [name, Object.keys(parameters).filter((parameter) => !(parameter in scope))] as const)
	.map(([name, own]) => `  ${name.padEnd(23)}${own.join(', ')}`.trimEnd())
	.join('\n')}

All of them except tokenExpires also accept ${Object.keys(scope).join(', ')}: the share of requests affected (0 to 1),
a path and everything below it, an HTTP method, text that the request body must contain, the maximum number of requests
affected, and how many matching requests to skip first.
To add a rate limit: {"seed": 7, "rules": […], "rateLimit": {"perSecond": 50}}

Profiles: ${PROFILE_NAMES.join(', ')}
`;

const flags = {
	port: { type: 'string' },
	host: { type: 'string' },
	'token-ttl': { type: 'string' },
	latency: { type: 'string' },
	faults: { type: 'string' },
	profile: { type: 'string' },
	help: { type: 'boolean', short: 'h' },
} as const;

const schema = z.object({
	port: z.coerce.number().int().min(0).max(65535).default(DEFAULT_PORT),
	'token-ttl': z.coerce.number().positive().optional(),
	latency: z.coerce.number().min(0).max(600_000).optional(),
	profile: z.string().toLowerCase().pipe(z.enum(PROFILE_NAMES as [string])).optional(),
});

/**
 * Reads a command line.
 * @param args without the program's own name
 * @throws {Error} if a flag is not known or its value is not accepted; the message says which, and what is accepted
 */
export function parseCliArguments(args: string[]): { help: boolean; options: SandboxOptions } {
	// Node says which flag is not known, lacks its value, or has one that it doesn't take
	const { help = false, host, faults, ...others } = parseArgs({ args, options: flags }).values;
	const { 'token-ttl': tokenTtlSeconds, latency: latencyMs, profile, port } = inWords('--', () => checked(schema, others));
	return {
		help,
		options: {
			port,
			host,
			tokenTtlSeconds,
			latencyMs,
			faults: faults === undefined ? undefined : inWords('--faults: ', () => parseFaultPlan(faultsIn(faults))),
			profile: PROFILES.find(({ name }) => name === profile),
		},
	};
}

/** @param given JSON, or @ and the name of a file that contains it */
const faultsIn = (given: string): unknown => JSON.parse(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given);

/** @throws what the work throws, as a sentence for a terminal */
function inWords<Result>(flag: string, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		const [first] = error instanceof ApiError ? (error.details as Array<{ field: string; message: string }>) : [];
		throw new Error(flag + (first ? `${first.field}: ${first.message}` : (error as Error).message));
	}
}
