import { type IncomingHttpHeaders, request } from 'node:http';
import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());

/** By Node's own client, which sends any header as it is told, Host included. */
function send(
	method: string,
	path: string,
	headers = {},
): Promise<{ status?: number; headers: IncomingHttpHeaders; text: string }> {
	return new Promise((resolve, reject) => {
		const sent = request({ host: '127.0.0.1', port: sandbox.port, method, path, headers }, (response) => {
			const { statusCode: status, headers: received } = response;
			let text = '';
			response
				.on('data', (chunk) => {
					text += chunk;
				})
				.on('end', () => resolve({ status, headers: received, text }));
		});
		sent.on('error', reject).end();
	});
}

describe('the pages', () => {
	it.each([
		['/', 'text/html; charset=utf-8', 'Voice Admin sandbox'],
		['/_sandbox/page/main.js', 'text/javascript; charset=utf-8', 'import'],
		['/_sandbox/page/page.css', 'text/css; charset=utf-8', 'body'],
		['/favicon.ico', 'image/svg+xml', '<svg'],
	])('%s is served', async (path, type, text) => {
		const { status, headers, text: content } = await send('GET', path);
		expect([status, headers['content-type']]).toEqual([200, type]);
		expect(content).toContain(text);
		expect(await send('HEAD', path)).toMatchObject({ status: 200, text: '' });
	});

	it('allow no inline script, no other host and no frame around them', async () => {
		const { headers, text } = await send('GET', '/');
		const policy = String(headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(policy).not.toMatch(/unsafe|https?:|\*/);
		expect(headers['x-content-type-options']).toBe('nosniff');
		expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|https?:\/\//);
	});

	it('give no other file of the disk', async () => {
		for (const file of ['../cli.ts', '%2e%2e/cli.ts', 'tsconfig.json', '']) {
			const path = `/_sandbox/page/${file}`;
			expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
		}
	});

	it('are no requests of the API: neither counted nor given faults', async () => {
		sandbox.reset();
		sandbox.setFaults([{ fault: 'http', status: 503 }]);
		for (const path of ['/', '/favicon.ico']) expect([path, (await send('GET', path)).status]).toEqual([path, 200]);
		expect(sandbox.getRecordsAndCounters().counters.requests).toBe(0);
		expect((await send('GET', '/v1/voip/dss/gtw/1')).status).toBe(503);
		sandbox.reset();
	});
});

describe('a request', () => {
	const RESET = 'POST /_sandbox/reset';
	const LOGIN = 'POST /auth/api-key/login';
	const fromPage = (host: string) => ({ Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' });
	const ownNames = ['localhost', '[::1]', 'sandbox', 'n8n.localhost', 'host.docker.internal', '192.168.0.7'];
	const otherNames = ['evil.example', '127.0.0.1.evil.example'];

	type Case = [from: string, request: string, headers: Record<string, string>, status: number];
	it.each<Case>([
		['a program, which sends no Origin', RESET, {}, 204],
		...ownNames.map((host): Case => [`the page at ${host}`, RESET, fromPage(`${host}:3456`), 204]),
		['another site', RESET, { Origin: 'https://evil.example' }, 403],
		['another port of this machine', RESET, { Origin: 'http://127.0.0.1:5678', 'Sec-Fetch-Site': 'same-site' }, 403],
		['another site, by a browser that hides its origin', RESET, { 'Sec-Fetch-Site': 'cross-site' }, 403],
		...otherNames.map((Host): Case => [`a name that can be bought, ${Host}`, RESET, { Host }, 403]),
		['a name that can be bought', 'GET /', { Host: 'evil.example' }, 403],
		['a link of another site', 'GET /', { 'Sec-Fetch-Site': 'cross-site' }, 200],
		['a link of another site', 'GET /_sandbox/snapshot', { 'Sec-Fetch-Site': 'cross-site' }, 403],
		['a program, with a body that is missing', LOGIN, {}, 400],
		['the page', LOGIN, fromPage('127.0.0.1:3456'), 400],
		['another site, which could use the keys that everybody knows', LOGIN, { Origin: 'https://evil.example' }, 403],
		['a page under a name that can be bought', LOGIN, fromPage('evil.example'), 403],
	])('of %s: %s with %j gets %d', async (_, request, headers, status) => {
		sandbox.setFaults([{ fault: 'http', status: 500, path: '/v9' }]);
		const [method = '', path = ''] = request.split(' ');
		expect((await send(method, path, headers)).status).toBe(status);
		expect(sandbox.getFaults().rules).toEqual(status === 204 ? [] : [{ fault: 'http', status: 500, path: '/v9' }]);
	});
});
