import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

import { DEMO_CLIENT, parseFaultPlan, READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { FAULT_SWITCHES, FAULTS } from '../../sandbox/faults/plan';

const PAGE = join(__dirname, '..', '..', 'sandbox', 'public');

const HTML_FROM_TEXT = /innerHTML|outerHTML|insertAdjacentHTML|document\.write/;

let sandbox: Sandbox;
beforeAll(async () => { sandbox = await startSandbox(); });
afterAll(async () => await sandbox.close());

interface Answer {
	status: number | undefined;
	headers: IncomingHttpHeaders;
	text: string;
}

/** By Node's own client, which sends any header as it is told, Host included. */
function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const sent = request({ host: '127.0.0.1', port: sandbox.port, method, path, headers }, (response) => {
			const { statusCode: status, headers: received } = response;
			let text = '';
			response.on('data', (chunk) => { text += chunk; }).on('end', () => resolve({ status, headers: received, text }));
		});
		sent.on('error', reject).end();
	});
}

describe('the pages', () => {
	it.each([
		['/', 'text/html; charset=utf-8', 'Voice Admin sandbox'],
		['/docs', 'text/html; charset=utf-8', 'API document'],
		['/_sandbox/page/main.js', 'text/javascript; charset=utf-8', 'import'],
		['/_sandbox/viewer/swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
		['/favicon.ico', 'image/svg+xml', '<svg'],
		['/_sandbox/openapi.yaml', 'application/yaml; charset=utf-8', '  /v1/customers/add:\n'],
	])('%s is served', async (path, type, text) => {
		const { status, headers, text: content } = await send('GET', path);
		expect([status, headers['content-type']]).toEqual([200, type]);
		expect(content).toContain(text);
		expect(await send('HEAD', path)).toMatchObject({ status: 200, text: '' });
	});

	it('allow no inline script, no other host and no frame around them', async () => {
		for (const path of ['/', '/docs']) {
			const { headers, text } = await send('GET', path);
			const policy = String(headers['content-security-policy']);
			expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
			expect(policy).toContain("frame-ancestors 'none'");
			expect(policy).not.toMatch(/unsafe|https?:|\*/);
			expect(headers['x-content-type-options']).toBe('nosniff');
			expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|https?:\/\//);
		}
	});

	it('give no other file of the disk', async () => {
		for (const path of ['/_sandbox/page/../cli.ts', '/_sandbox/page/%2e%2e/cli.ts', '/_sandbox/viewer/package.json', '/_sandbox/page/']) {
			expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
		}
	});

	it('are no requests of the API: neither counted nor given faults', async () => {
		sandbox.reset();
		sandbox.setFaults({ rules: [{ fault: 'http503' }] });
		for (const path of ['/', '/docs', '/favicon.ico']) expect([path, (await send('GET', path)).status]).toEqual([path, 200]);
		expect(sandbox.state().counters.requests).toBe(0);
		expect((await send('GET', '/v1/voip/dss/gtw/1')).status).toBe(503);
		sandbox.reset();
	});

	it('name the clients that there are', async () => {
		const { text } = await send('GET', '/');
		for (const { clientId, clientSecret } of [DEMO_CLIENT, READ_ONLY_CLIENT]) {
			expect(text).toContain(`<code>${clientId}</code>`);
			expect(text).toContain(`<code>${clientSecret}</code>`);
		}
	});
});

it('offers every fault and the rate limit, with a value that they take', () => {
	expect(FAULT_SWITCHES.map(({ fault }) => fault)).toEqual([...Object.keys(FAULTS), 'rateLimit']);
	for (const { fault, needs } of FAULT_SWITCHES) {
		const parameters = needs && { [needs.name]: needs.value };
		expect(() => parseFaultPlan(fault === 'rateLimit' ? { rateLimit: parameters } : [{ fault, ...parameters }])).not.toThrow();
	}
});

describe('a request that controls the sandbox', () => {
	const reset = (headers: Record<string, string>) => send('POST', '/_sandbox/reset', headers).then(({ status }) => status);

	it('is taken from a program, which sends no Origin', async () => {
		expect(await reset({})).toBe(204);
	});

	it('is taken from the sandbox\'s own page, under each of its names', async () => {
		for (const host of ['localhost', '127.0.0.1', '[::1]', 'sandbox', 'n8n.localhost', 'host.docker.internal', '192.168.0.7']) {
			const name = `${host}:${sandbox.port}`;
			expect([host, await reset({ Host: name, Origin: `http://${name}`, 'Sec-Fetch-Site': 'same-origin' })]).toEqual([host, 204]);
		}
	});

	it.each([
		['another site', { Origin: 'https://evil.example' }],
		['another port of this machine', { Origin: 'http://127.0.0.1:5678', 'Sec-Fetch-Site': 'same-site' }],
		['a page without an origin', { Origin: 'null' }],
		['another site, by a browser that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }],
	])('is rejected from %s, and changes nothing', async (_whence, headers) => {
		sandbox.setFaults({ rules: [{ fault: 'http500' }] });
		const text = expect.stringContaining('"errors":"The request comes from a page');
		expect(await send('POST', '/_sandbox/reset', headers as never)).toMatchObject({ status: 403, text });
		expect(sandbox.faults().plan.rules).toEqual([{ fault: 'http500' }]);
		sandbox.reset();
	});

	it.each(['/', '/_sandbox/state'])('is rejected when its Host is not one of the sandbox\'s names (DNS rebinding): %s', async (path) => {
		for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:3456']) {
			expect([host, (await send('GET', path, { Host: host })).status]).toEqual([host, 403]);
		}
	});

	it('is rejected for the API too, from a page of another site, which could use the keys that everybody knows', async () => {
		const logIn = async (headers: Record<string, string>) => (await send('POST', '/auth/api-key/login', headers)).status;
		const evil = 'evil.example';
		const rejected = [{ Origin: `https://${evil}` }, { 'Sec-Fetch-Site': 'cross-site' }, { Host: evil, Origin: `http://${evil}` }];
		for (const headers of rejected) expect([headers, await logIn(headers as never)]).toEqual([headers, 403]);
		const taken = [{}, { Host: 'sandbox.company.example' }, { Origin: `http://127.0.0.1:${sandbox.port}` }];
		for (const headers of taken) expect([headers, await logIn(headers as never)]).not.toEqual([headers, 403]);
	});

	it('may follow a link from another site to a page, and to nothing else', async () => {
		const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
		for (const path of ['/', '/docs']) expect([path, (await send('GET', path, headers)).status]).toEqual([path, 200]);
		for (const path of ['health', 'state']) expect([path, (await send('GET', `/_sandbox/${path}`, headers)).status]).toEqual([path, 403]);
	});
});

it('the scripts of the page never put HTML together from texts', () => {
	for (const file of readdirSync(PAGE).filter((name) => name.endsWith('.js'))) {
		expect([file, readFileSync(join(PAGE, file), 'utf8')]).toEqual([file, expect.not.stringMatching(HTML_FROM_TEXT)]);
	}
});
