import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { FAULTS, planSchema, scope } from './faults/plan';
import type { SandboxOptions } from './index';

const DEFAULT_PORT = 3456;

export const HELP = `Starts a sandbox of the voice and customer administration API on this machine.

Usage: npm run sandbox -- [flags]

  --port <number>        Port to listen on (default ${DEFAULT_PORT}; 0 picks a free one)
  --host <address>       Address to listen on (default 127.0.0.1, so that only this machine can reach it)
  --token-ttl <seconds>  Lifetime of an access token, such as 3600 or 0.5 (default 3600)
  --latency <ms>         Delay of every response in milliseconds (default 0)
  --faults <json>        Faults to inject: a list of rules, or @ followed by the name of a file that contains one
  --help                 Show this text

Faults, such as --faults '[{"fault": "http503", "rate": 0.05}, {"fault": "resetAfter", "method": "POST", "count": 1}]'

${Object.entries(FAULTS)
	.map(([name, { parameters }]) => [name, Object.keys(parameters).filter((parameter) => !(parameter in scope))] as const)
	.map(([name, own]) => `  ${name.padEnd(23)}${own.join(', ')}`.trimEnd())
	.join('\n')}

All of them except tokenExpires also accept ${Object.keys(scope).join(', ')}: the share of requests affected (0 to 1),
a path and everything below it, an HTTP method, text that the request body must contain, the maximum number of requests
affected, and how many matching requests to skip first.
With a seed for what is drawn: {"seed": 7, "rules": […]}
`;

const schema = z.object({
	port: z.coerce.number().int().min(0).max(65535).default(DEFAULT_PORT),
	host: z.string().optional(),
	'token-ttl': z.coerce.number().positive().optional(),
	latency: z.coerce.number().min(0).max(600_000).optional(),
	faults: z.string().transform(readJson).pipe(planSchema).optional(),
});
const flags = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, { type: 'string' as const }]));

/**
 * Reads a command line; undefined if it asks for help.
 * @param args without the program's own name
 * @throws {Error} if a flag is not known or its value is not accepted; the message says which, and what is accepted
 */
export function parseCliArguments(args: string[]): SandboxOptions | undefined {
	// Node says which flag is not known, lacks its value, or has one that it doesn't take
	const { help, ...given } = parseArgs({ args, options: { ...flags, help: { type: 'boolean', short: 'h' } } }).values;
	if (help) return undefined;
	const { data, error } = schema.safeParse(given);
	if (error) throw new Error(error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
	const { 'token-ttl': tokenTtlSeconds, latency: latencyMs, ...others } = data;
	return { ...others, tokenTtlSeconds, latencyMs };
}

/** @param given JSON, or @ and the name of a file that contains it, from the folder in which npm was called */
function readJson(given: string, { addIssue }: z.RefinementCtx): unknown {
	try {
		return JSON.parse(given.startsWith('@') ? readFileSync(resolve(process.env.INIT_CWD ?? '.', given.slice(1)), 'utf8') : given);
	} catch (error) {
		addIssue({ code: 'custom', message: (error as Error).message });
		return z.NEVER;
	}
}
