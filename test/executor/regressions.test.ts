import { CredentialTestContext } from 'n8n-core';
import type { ICredentialsDecrypted } from 'n8n-workflow';

import { testVoiceAdminApi } from '../../nodes/VoiceAdmin/methods/credentialTest';
import { DEMO_CLIENT, READ_ONLY_CLIENT, type Sandbox } from '../../sandbox';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { expectOneLoginPerToken } from '../support/executor/logins';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { json, raw, RECORDED_TOKEN, Recorder } from '../support/recorder';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { until } from '../support/until';

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

const created = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort();

describe('an item whose expression fails', () => {
	// The routing executor evaluates all parameters before the requests are sent, and aborts the run at the first that fails.
	const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

	// With a token, so that what is sent by mistake is sent at once.
	beforeEach(async () => {
		await execute({ parameters: getGateway('1'), credential: credentialFor(sandbox.url) });
		sandbox.reset();
	});

	const failsAt = (item: number) => addCustomer(`={{ $json.n === ${item} ? $('Nope').item.json.x : "C" + $json.n }}`);

	test.each(ON_ERROR.flatMap((onError) => [0, 5, 7].map((item) => [onError, item] as const)))('under %s, item %i of 8: nothing is sent', async (onError, item) => {
		const { error } = await execute({ items: numbered(8), parameters: failsAt(item), credential: credentialFor(sandbox.url), settings: { onError } });
		await pause(200);
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(sandbox.requests()).toEqual([]);
	});

	test.each(ON_ERROR)('under %s and Retry On Fail: nothing is sent', async (onError) => {
		const { error } = await execute({ items: numbered(8), parameters: failsAt(5), credential: credentialFor(sandbox.url), settings: { ...RETRY, onError } });
		await pause(300);
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(sandbox.requests()).toEqual([]);
	});

	test.each(ON_ERROR.slice(1))('under %s with batching, in a later batch: nothing is sent', async (onError) => {
		const batched = { requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 20 } } } };
		const later = { ...failsAt(5), ...batched };
		const { error } = await execute({ items: numbered(8), parameters: later, credential: credentialFor(sandbox.url), settings: { onError } });
		await pause(200);
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(sandbox.requests()).toEqual([]);
		const parameters = { ...failsAt(9), ...batched };
		const { output } = await execute({ items: numbered(8), parameters, credential: credentialFor(sandbox.url), settings: { onError } });
		expect(output).toHaveLength(8);
	});

	test('leaves no unhandled rejection: of an earlier item that is not valid', async () => {
		const unhandled = jest.fn();
		process.on('unhandledRejection', unhandled);
		const { error } = await execute({ items: numbered(2), parameters: addCustomer(`={{ $json.n === 1 ? $('Nope').item.json.x : "" }}`), credential: credentialFor(sandbox.url) });
		await pause(100);
		process.off('unhandledRejection', unhandled);
		expect(error?.message).toBe("Referenced node doesn't exist");
		expect(unhandled).not.toHaveBeenCalled();
	});

	test('is not confused with Execute Once or batching', async () => {
		const parameters = addCustomer('={{ "C" + $json.n }}');
		const once = await execute({ items: numbered(4), parameters, credential: credentialFor(sandbox.url), settings: { executeOnce: true } });
		expect(once.output).toHaveLength(1);
		const batched = await execute({
			items: numbered(5),
			parameters: { ...parameters, requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 20 } } } },
			credential: once.store,
		});
		expect(batched.output).toHaveLength(5);
	});
});

describe('the token of another key', () => {
	test('is not used after the key changed in the credential', async () => {
		const store = new CredentialStore(credentialFor(sandbox.url, { ...READ_ONLY_CLIENT, permissions: undefined as never }));
		expect((await execute({ parameters: addCustomer('1'), credential: store })).error?.httpCode).toBe('403');
		Object.assign(store.stored, { clientId: DEMO_CLIENT.clientId, clientSecret: DEMO_CLIENT.clientSecret });
		const { error } = await execute({ parameters: addCustomer('1'), credential: store });
		expect(error).toBeUndefined();
		expect(created()).toEqual(['1']);
	});

	test('is not sent to the staging server after the environment changed', async () => {
		const staging = await Recorder.start((_request, response) => json(response, 200, {}), (_request, response) => json(response, 200, { access_token: 'token-of-staging' }));
		const production = await Recorder.start((_request, response) => json(response, 200, {}));
		const store = new CredentialStore(credentialFor(production.url, { stagingUrl: staging.url }));
		await execute({ parameters: getGateway('1'), credential: store });
		expect(production.requests[0]?.headers.authorization).toBe(`Bearer ${RECORDED_TOKEN}`);
		store.stored.environment = 'staging';
		await execute({ parameters: getGateway('1'), credential: store });
		expect(staging.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-of-staging']);
		await Promise.all([staging.close(), production.close()]);
	});
});

describe('a 401 that concerns one request', () => {
	test('fails that request and no other, and costs few logins', async () => {
		const service = await Recorder.start((request, response) => {
			if (request.target.endsWith('/150')) json(response, 401, { message: 'Not for you', errors: '' });
			else setTimeout(() => json(response, 200, { id: request.target }), 5);
		});
		const store = new CredentialStore(credentialFor(service.url));
		await execute({ parameters: getGateway('1'), credential: store });
		const { output } = await execute({
			items: numbered(300),
			parameters: getGateway('={{ $json.n }}'),
			credential: store,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output.filter((item) => item.json.error)).toEqual([
			expect.objectContaining({ json: { error: expect.objectContaining({ message: 'Not for you', httpCode: '401' }) } }),
		]);
		// One for the first run, and three at most for the request that got a 401.
		expect(service.logins.length).toBeLessThanOrEqual(4);
		await service.close();
	});

	test('costs no login while later requests are accepted', async () => {
		const service = await Recorder.start((request, response, index) => {
			const answer = () => json(response, 200, {});
			if (!request.target.endsWith('/10')) return void setTimeout(answer, 2);
			// By then, the service has accepted the token in later requests.
			void until(() => service.requests.length > index + 15, '15 more requests have arrived').then(() => json(response, 401, { message: 'Not for you', errors: '' }));
		});
		const { output } = await execute({
			items: numbered(100),
			parameters: { ...getGateway('={{ $json.n }}'), options: { maxConcurrency: 5 } },
			credential: credentialFor(service.url),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output.filter((item) => item.json.error)).toHaveLength(1);
		expect(service.requests.filter(({ target }) => target.endsWith('/10')).length).toBeGreaterThan(1);
		expect(service.logins).toHaveLength(1);
		await service.close();
	});

	test('concurrent runs with tokens that expire quickly lose no item', async () => {
		sandbox.setFaults({ rules: [{ fault: 'tokenExpires', afterRequests: 100 }, { fault: 'latency', ms: 3 }] });
		const store = new CredentialStore(credentialFor(sandbox.url));
		const runs = await Promise.all(
			Array.from({ length: 10 }, async () => await execute({ items: numbered(60), parameters: getGateway('1'), credential: store })),
		);
		expect(runs.map(({ error, output }) => error?.message ?? output.length)).toEqual(Array(10).fill(60));
		expectOneLoginPerToken(sandbox, 100);
	});
});

describe('a login that keeps failing', () => {
	test.each(['http503', 'http429'] as const)('%s: is attempted three times for all items together', async (fault) => {
		sandbox.setFaults({ rules: [{ fault, path: '/auth', retryAfterAs: 'none' }] });
		const { output } = await execute({
			items: numbered(100),
			parameters: getGateway('1'),
			credential: credentialFor(sandbox.url),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(output).toHaveLength(100);
		expect(sandbox.state().counters.logins).toBe(3);
	});
});

describe('a service that limits its rate, with Retry-After', () => {
	test('loses no item with the default options', async () => {
		sandbox.setFaults({ rateLimit: { perSecond: 40, burst: 20 } });
		const { output, error } = await execute({
			items: numbered(150),
			parameters: getGateway('={{ $json.n % 12 + 1 }}'),
			credential: credentialFor(sandbox.url),
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(150);
		expect(sandbox.requests().some(({ status }) => status === 429)).toBe(true);
	});
});

describe('a create whose outcome is unknown', () => {
	test('is not sent again by Retry On Fail, nor are the others', async () => {
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', bodyContains: '"C1"', count: 1 }] });
		const { error } = await execute({
			items: numbered(3),
			parameters: addCustomer('={{ "C" + $json.n }}'),
			credential: credentialFor(sandbox.url),
			settings: RETRY,
		});
		expect(error?.description).toContain('The customer with VAT number C1 may already exist. Check before retrying');
		expect(error?.description).toMatch(/\.\nThe node did not send it again under Retry On Fail\.$/);
		expect(new Set(created()).size).toBe(created().length);
		expect(created()).toContain('C1');
	});

	test('is the same create when its body changes between attempts', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: '"C1"', count: 1 }] });
		const { error } = await execute({
			items: numbered(3),
			parameters: addCustomer('={{ "C" + $json.n }}', { otherFields: '={{ { at: $now.toMillis(), random: Math.random() } }}' }),
			credential: credentialFor(sandbox.url),
			settings: RETRY,
		});
		expect(error).toBeUndefined();
		expect(created()).toEqual(['C0', 'C1', 'C2']);
	});
});

describe('secrets where a text is cut', () => {
	const TOKEN = `eyJ${'abcdefghij'.repeat(62)}.end`;
	const KEY = `key-"<&>-${'0123456789'.repeat(12)}`;

	test.each<[string, (token: string, key: string) => [number, string, string]]>([
		['text', (token, key) => [400, 'text/plain', `${'x'.repeat(60)} ${token} ${key}`]],
		['a message', (token, key) => [400, 'application/json', JSON.stringify({ message: `${'x'.repeat(300)} ${token}`, errors: `${'y'.repeat(1_700)} ${token} ${key}` })]],
		['nested errors', (token, key) => [400, 'application/json', JSON.stringify({ message: 'm', errors: { a: { b: { c: { d: { e: `${token} ${key}` } } } } } })]],
		['a title', (token) => [502, 'text/html', `<html><title>Bad ${token}</title></html>`]],
		['escaped HTML', (_token, key) => [502, 'text/html', `<html><title>${key.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)}</title></html>`]],
		['text that begins like JSON', (token, key) => [400, 'application/json', `{"token":"${token}","key":${JSON.stringify(key)}`]],
		['a URL', (_token, key) => [400, 'text/plain', `/login?k=${encodeURIComponent(key)}`]],
	])('in %s are redacted', async (_name, answer) => {
		const service = await Recorder.start(
			(_request, response) => raw(response, ...answer(TOKEN, KEY)),
			(_request, response) => json(response, 200, { access_token: TOKEN }),
		);
		const { error } = await execute({
			parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
			credential: credentialFor(service.url, { clientSecret: KEY }),
		});
		const text = `${error?.message} ${error?.description}`;
		expect(text).not.toMatch(/eyJabc|0123456789|key-/);
		await service.close();
	});

	test('a token that was replaced during its request is redacted as well', async () => {
		let logins = 0;
		const service = await Recorder.start(
			(request, response) => {
				const token = String(request.headers.authorization).slice(7);
				if (request.target.endsWith('/0')) setTimeout(() => json(response, 400, { message: `You sent ${token}`, errors: '' }), 150);
				else if (token.endsWith('1')) setTimeout(() => json(response, 401, { message: 'Expired', errors: '' }), 20);
				else json(response, 200, { ok: true });
			},
			(_request, response) => json(response, 200, { access_token: `issued-token-number-${++logins}` }),
		);
		const store = new CredentialStore(credentialFor(service.url));
		const { run } = await execute({
			items: numbered(2),
			parameters: getGateway('={{ $json.n }}'),
			credential: store,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(JSON.stringify(run)).not.toContain('issued-token-number');
		await service.close();
	});
});

describe("the credential's test", () => {
	const test_ = async (more: object) =>
		await testVoiceAdminApi.call(new CredentialTestContext(), {
			id: '1', name: 'x', type: 'voiceAdminApi',
			data: { ...credentialFor(sandbox.url), ...more },
		} as ICredentialsDecrypted);

	test('says that a valid key works', async () => {
		expect(await test_({})).toEqual({ status: 'OK', message: 'The API key works' });
		expect(sandbox.state().counters.logins).toBe(1);
	});

	test.each<[string, object, RegExp]>([
		['a wrong key', { clientSecret: 'nope' }, /^The service did not accept the API key: The client id or the API key is not valid \(401\)\. Check 'Client ID'/],
		['a server that is down', { baseUrl: 'http://127.0.0.1:9' }, /^Could not log in: nothing answers at http:\/\/127\.0\.0\.1:9 \(connection refused\); check whether the service is running, and the base URL$/],
		['a host that does not exist', { baseUrl: 'https://no-such-host.invalid' }, /the host name of https:\/\/no-such-host\.invalid could not be found; check the base URL$/],
		['a wrong address', { baseUrl: 'not a url' }, /^'Production Base URL' in the credential is not a URL: "not a url"/],
		['an address with no login', { baseUrl: 'BASE/api' }, /^Could not log in: there is no login endpoint at .+ Check the base URL/],
	])('names the reason: %s', async (_name, more, message) => {
		const given = JSON.parse(JSON.stringify(more).replace('BASE', sandbox.url)) as object;
		const result = await test_(given);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
	});

	test.each<[string, number, Record<string, string>, string]>([
		['a web page that answers 200', 200, { 'Content-Type': 'text/html' }, '<html></html>'],
		['a redirect', 302, { Location: 'https://elsewhere.example/' }, ''],
	])('fails for %s', async (_name, status, headers, body) => {
		const service = await Recorder.start(() => {}, (_request, response) => { response.writeHead(status, headers).end(body); });
		expect((await test_({ baseUrl: service.url })).status).toBe('Error');
		await service.close();
	});
});

describe('values that n8n does not check', () => {
	test.each([['text', '5000'], ['a fraction', 500.5], ['nothing', ''], ['a negative number', -1], ['more than a timer takes', 3_000_000_000]])(
		'a time-out that is %s',
		async (_name, timeout) => {
			const { error } = await execute({
				parameters: { ...getGateway('1'), requestOptions: { timeout: timeout as number } },
				credential: credentialFor(sandbox.url),
			});
			expect(error).toBeUndefined();
		},
	);

	test('a client id that is a number', async () => {
		const service = await Recorder.start((_request, response) => json(response, 200, {}));
		await execute({ parameters: getGateway('1'), credential: credentialFor(service.url, { clientId: 12345 as never }) });
		expect(service.logins[0]?.body).toContain('clientId=12345&');
		await service.close();
	});

	test('a field called success does not change the output of an empty response', async () => {
		const service = await Recorder.start((_request, response) => raw(response, 200, 'text/plain', ''));
		const { output } = await execute({ parameters: addCustomer('1', { otherFields: '{"success":false}' }), credential: credentialFor(service.url) });
		expect(output[0]?.json).toEqual({ success: true, vatNumber: '1' });
		await service.close();
	});

	test.each(['{"id":12345678901234567890}', '{"a":[{"b":-9007199254740993}]}'])('%s is not valid, because JavaScript would change the number', async (otherFields) => {
		const { error } = await execute({ parameters: addCustomer('1', { otherFields }), credential: credentialFor(sandbox.url) });
		expect(error?.message).toMatch(/^'Other Fields' is not valid: "-?[0-9]+"\. This number is too large to store exactly\. Enter it in quotation marks$/);
		expect(created()).toEqual([]);
	});

	test('long digits in text, fractions and exponents are sent', async () => {
		const { error } = await execute({
			parameters: addCustomer('1', { otherFields: '{"id":"12345678901234567890","x":1.5,"y":1e3,"z":"a\\"9007199254740993"}' }),
			credential: credentialFor(sandbox.url),
		});
		expect(error).toBeUndefined();
		expect(sandbox.state().customers[0]).toMatchObject({ id: 1, x: 1.5, y: 1000 });
	});
});

test('the limit does not grow while every response is a 500', async () => {
	sandbox.setFaults({ rules: [{ fault: 'http500', method: 'GET' }, { fault: 'latency', ms: 50 }] });
	await execute({
		items: numbered(300),
		parameters: getGateway('1'),
		credential: credentialFor(sandbox.url),
		settings: { onError: 'continueRegularOutput' },
	});
	expect(sandbox.state().counters.peakInFlight).toBe(25);
});

test('an endless login response ends with the time-out', async () => {
	const timers: NodeJS.Timeout[] = [];
	const service = await Recorder.start(
		(_request, response) => json(response, 200, {}),
		(_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			timers.push(setInterval(() => response.write(' '), 50));
		},
	);
	const { error } = await execute({
		parameters: { ...getGateway('1'), requestOptions: { timeout: 500 } },
		credential: credentialFor(service.url),
	});
	timers.forEach(clearInterval);
	expect(error?.message).toMatch(/^Could not log in: .* did not answer in time/);
	await service.close();
});

test.each([['text', 'abc'], ['an object', {}], ['nothing', ''], ['minus one', -1], ['more than there are', 50]])(
	'a batch size that is %s loses no item',
	async (_name, batchSize) => {
		const { output, error } = await execute({
			items: numbered(5),
			parameters: { ...getGateway('1'), requestOptions: { batching: { batch: { batchSize: batchSize as number, batchInterval: 1 } } } },
			credential: credentialFor(sandbox.url),
		});
		expect([error?.message, output.length]).toEqual([undefined, 5]);
	},
);

test('the first of many errors are shown', async () => {
	const errors = Array.from({ length: 200_000 }, (_, n) => ({ field: `field${n}`, message: 'is wrong in some way' }));
	const service = await Recorder.start((_request, response) => json(response, 400, { message: 'Invalid', errors }));
	const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
	expect(error?.description).toMatch(/^field0: is wrong in some way\nfield1: /);
	await service.close();
});

test('a create is not sent again after an error nested too deep: its outcome is unknown', async () => {
	const service = await Recorder.start((_request, response) =>
		raw(response, 502, 'application/json', `{"message":"Bad","errors":${'['.repeat(6_000)}1${']'.repeat(6_000)}}`),
	);
	const { error } = await execute({ parameters: addCustomer('1'), credential: credentialFor(service.url), settings: RETRY });
	expect(error?.message).toBe('Bad');
	expect(error?.description).toContain('The customer with VAT number 1 may already exist');
	expect(service.requests).toHaveLength(1);
	await service.close();
});

test('the 503s of a proxy do not count as accepting a token', async () => {
	let count = 0;
	const service = await Recorder.start((_request, response) =>
		json(response, ++count % 5 === 0 ? 503 : 401, { message: 'No', errors: '' }),
	);
	await execute({
		items: numbered(100),
		parameters: { ...getGateway('1'), options: { maxRetries: 0 } },
		credential: credentialFor(service.url),
		settings: { onError: 'continueRegularOutput' },
	});
	expect(service.logins.length).toBeLessThanOrEqual(2);
	await service.close();
});
