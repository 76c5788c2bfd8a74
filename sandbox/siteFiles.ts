import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';

import { parse } from 'yaml';

import { OPENAPI_FILE } from './api';
import { DEMO_CLIENT } from './seed';

const PAGE = join(__dirname, 'page');
const VIEWER = dirname(require.resolve('swagger-ui-dist/package.json'));
const ICON = join(__dirname, '..', 'nodes', 'VoiceAdmin', 'voiceAdmin.svg');

/** Scripts of the page, each a module of its own. */
const MODULES = ['main', 'announce', 'books', 'connection', 'element', 'faults', 'requests'];

/** The files by their path. Nothing else of the disk can be asked for. */
const FILES: Record<string, string> = {
	'/': join(PAGE, 'index.html'),
	'/docs': join(PAGE, 'docs.html'),
	// which browsers ask for by themselves, and would be taken for a request of the API
	'/favicon.ico': ICON,
	'/_sandbox/page/icon.svg': ICON,
	...Object.fromEntries(['page.css', 'docs.css', 'docs.js', ...MODULES.map((module) => `${module}.js`)].map((file) => [`/_sandbox/page/${file}`, join(PAGE, file)])),
	...Object.fromEntries(['swagger-ui.css', 'swagger-ui-bundle.js'].map((file) => [`/_sandbox/viewer/${file}`, join(VIEWER, file)])),
};

const OPENAPI_PATH = '/_sandbox/openapi.json';

const CONTENT_TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.json': 'application/json; charset=utf-8',
};

/** Nothing of another host, nothing inline, and no page of others around this one. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	// the viewer's icons are in its style sheet
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

/** Whether the request is for a file of the sandbox's pages. */
export function isSiteFile(method: string, path: string): boolean {
	return (method === 'GET' || method === 'HEAD') && (path in FILES || path === OPENAPI_PATH);
}

/** Answers a request that {@link isSiteFile}. */
export async function sendSiteFile(response: ServerResponse, method: string, path: string): Promise<void> {
	const file = FILES[path];
	const content = file === undefined ? await openApiJson() : await readFile(file);
	response.writeHead(200, {
		'Content-Type': CONTENT_TYPES[extname(file ?? path)] ?? 'application/octet-stream',
		'Content-Length': String(content.length),
		'Content-Security-Policy': CONTENT_SECURITY_POLICY,
		'X-Content-Type-Options': 'nosniff',
		'Referrer-Policy': 'no-referrer',
		'Cross-Origin-Resource-Policy': 'same-origin',
		'Cache-Control': 'no-cache',
	});
	response.end(method === 'HEAD' ? undefined : content);
}

let openApi: Promise<Buffer> | undefined;

/** The parts of the document that are changed for the viewer. */
interface Shown {
	servers: Array<{ url: string; description: string }>;
	components: { schemas: { TokenRequest: { properties: Record<'clientId' | 'clientSecret', { examples?: string[] }> } } };
}

/** The document, with the server that the reader has reached, whatever its port, and a login that can be tried out. */
function openApiJson(): Promise<Buffer> {
	openApi ??= readFile(OPENAPI_FILE, 'utf8').then((yaml) => {
		const document = parse(yaml) as Shown;
		document.servers = [{ url: '/', description: 'This sandbox' }];
		// The viewer fills forms with the examples of single fields, and knows none for a whole form.
		const { clientId, clientSecret } = document.components.schemas.TokenRequest.properties;
		clientId.examples = [DEMO_CLIENT.clientId];
		clientSecret.examples = [DEMO_CLIENT.clientSecret];
		return Buffer.from(JSON.stringify(document));
	});
	return openApi;
}
