import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

import type { FastifyInstance } from 'fastify';

const PUBLIC = join(__dirname, '..', 'public');
const ICON = join(__dirname, '..', '..', 'nodes', 'VoiceAdmin', 'voiceAdmin.svg');

const CONTENT_TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** All files that are served, by path. */
const FILES: Record<string, string> = {
	'/': join(PUBLIC, 'index.html'),
	// browsers request it unasked; it would count as a request to the API
	'/favicon.ico': ICON,
	...Object.fromEntries(
		readdirSync(PUBLIC)
			.filter((file) => extname(file) in CONTENT_TYPES)
			.map((file) => [`/_sandbox/page/${file}`, join(PUBLIC, file)]),
	),
};

/** Of the pages and control paths: no content from other hosts, no inline code, no framing. */
export const SECURITY_HEADERS = {
	'Content-Security-Policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'no-referrer',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Cache-Control': 'no-cache',
};

/** Whether a path is one of these files. */
export const isPage = (path: string): boolean => Object.hasOwn(FILES, path);

/** Adds the sandbox's page. */
export function addPages(app: FastifyInstance): void {
	for (const [url, file] of Object.entries(FILES)) {
		const type = CONTENT_TYPES[extname(file)]!;
		app.get(url, async (_request, reply) => await reply.type(type).send(await readFile(file)));
	}
}
