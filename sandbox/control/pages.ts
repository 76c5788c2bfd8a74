import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

import type { FastifyInstance, RouteHandler } from 'fastify';

import { OPENAPI_FILE } from '../openApi';
import { DEMO_CLIENT } from '../store/seed';

const PUBLIC = join(__dirname, '..', 'public');
const VIEWER = dirname(require.resolve('swagger-ui-dist/package.json'));
const ICON = join(__dirname, '..', '..', 'nodes', 'VoiceAdmin', 'voiceAdmin.svg');
const OPENAPI_PATH = '/_sandbox/openapi.json';

/** The files by their path. Nothing else of the disk can be asked for. */
const FILES = new Map([
	['/', join(PUBLIC, 'index.html')],
	['/docs', join(PUBLIC, 'docs.html')],
	// which browsers ask for by themselves, and would be taken for a request of the API
	['/favicon.ico', ICON],
	['/_sandbox/page/icon.svg', ICON],
	...readdirSync(PUBLIC).filter((file) => !file.endsWith('.html')).map((file): [string, string] => [`/_sandbox/page/${file}`, join(PUBLIC, file)]),
	...['swagger-ui.css', 'swagger-ui-bundle.js'].map((file): [string, string] => [`/_sandbox/viewer/${file}`, join(VIEWER, file)]),
]);

/** Of all that is not the API. Nothing of another host, nothing inline, and no page of others around this one. */
export const SECURITY_HEADERS = {
	'Content-Security-Policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		// the viewer's icons are in its style sheet
		"img-src 'self' data:",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'no-referrer',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Cache-Control': 'no-cache',
};

/** Whether the request is for a file of the sandbox's pages. */
export function isPage(method: string, path: string): boolean {
	return (method === 'GET' || method === 'HEAD') && (FILES.has(path) || path === OPENAPI_PATH);
}

const CONTENT_TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.json': 'application/json; charset=utf-8',
};

/** Adds the sandbox's own page, the viewer of the API document, and the document. */
export function addPages(app: FastifyInstance): void {
	for (const url of [...FILES.keys(), OPENAPI_PATH]) {
		const file = FILES.get(url);
		const type = CONTENT_TYPES[extname(file ?? url)] ?? 'application/octet-stream';
		const content = async () => (file === undefined ? await (openApi ??= openApiJson().catch(forget)) : await readFile(file));
		const handler: RouteHandler = async (_request, reply) => await reply.type(type).send(await content());
		app.route({ method: ['GET', 'HEAD'], url, handler });
	}
}

let openApi: Promise<string> | undefined;
const forget = (error: unknown) => {
	openApi = undefined;
	throw error;
};

/** The document, with the server that the reader has reached, whatever its port, and a login that can be tried out. */
async function openApiJson(): Promise<string> {
	// only here, as it takes longer to load than most of what a start needs
	const { parse } = await import('yaml');
	const document = parse(await readFile(OPENAPI_FILE, 'utf8'));
	document.servers = [{ url: '/', description: 'This sandbox' }];
	// The viewer fills forms with the examples of single fields, and knows none for a whole form.
	const { clientId, clientSecret } = document.components.schemas.TokenRequest.properties;
	clientId.examples = [DEMO_CLIENT.clientId];
	clientSecret.examples = [DEMO_CLIENT.clientSecret];
	return JSON.stringify(document);
}
