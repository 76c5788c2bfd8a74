import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { OPENAPI_FILE } from '../openApi';

const PUBLIC = join(__dirname, '..', 'public');
const VIEWER = dirname(require.resolve('swagger-ui-dist/package.json'));
const ICON = join(__dirname, '..', '..', 'nodes', 'VoiceAdmin', 'voiceAdmin.svg');

/** The files of a folder, by the path that they are served at. */
function filesIn(folder: string, path: string): Record<string, string> {
	return Object.fromEntries(readdirSync(folder).map((file) => [`${path}/${file}`, join(folder, file)]));
}

/** All files that are served, by path. */
const FILES: Record<string, string> = {
	'/': join(PUBLIC, 'index.html'),
	'/docs': join(PUBLIC, 'docs.html'),
	// browsers request it unasked; it would count as a request to the API
	'/favicon.ico': ICON,
	'/_sandbox/openapi.yaml': OPENAPI_FILE,
	// openapi.yaml refers to them
	...filesIn(join(dirname(OPENAPI_FILE), 'paths'), '/_sandbox/paths'),
	...filesIn(PUBLIC, '/_sandbox/page'),
	...Object.fromEntries(
		['swagger-ui.css', 'swagger-ui-bundle.js'].map((file) => [`/_sandbox/viewer/${file}`, join(VIEWER, file)]),
	),
};

/** Of the pages and control paths: no content from other hosts, no inline code, no framing. */
export const SECURITY_HEADERS = {
	'Content-Security-Policy':
		// the viewer's icons are in its style sheet
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'no-referrer',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Cache-Control': 'no-cache',
};

const CONTENT_TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.yaml': 'application/yaml; charset=utf-8',
};

/** Whether a path is one of these files. */
export const isPage = (path: string): boolean => Object.hasOwn(FILES, path);

/** Adds the sandbox's page, Swagger UI, and the OpenAPI document. */
export function addPages(app: FastifyInstance): void {
	for (const [url, file] of Object.entries(FILES)) {
		app.get(
			url,
			async (_request, reply) =>
				await reply.type(CONTENT_TYPES[extname(file)] ?? 'text/plain').send(await readFile(file)),
		);
	}
}
