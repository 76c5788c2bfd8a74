import type { ServerResponse } from 'node:http';

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute, type Execution } from '../support/executor/execute';
import { sandboxOfEachTest } from '../support/executor/sandboxOfEachTest';
import { startService } from '../support/executor/startService';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { type Arrived, json, raw } from '../support/recorder';
import { until } from '../support/until';

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
/** Long enough for the test to change the items between two attempts. */
const RETRY_LATER = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1_000 };

const customerOfItem = addCustomer('={{ "C" + $json.n }}');
const vatNumberOf = ({ body }: Arrived) => (JSON.parse(body) as { vatNumber: string }).vatNumber;
const vatNumbers = (count: number) => numbered(count).map(({ n }) => `C${n}`);

let sandbox: Sandbox;

sandboxOfEachTest((started) => { sandbox = started; });

const run = async (execution: Omit<Execution, 'credential'>) => await execute({ ...execution, credential: credentialFor(sandbox.url) });
const inSandbox = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort();

/** Creates a customer in a service that answers as told. @returns which customers arrived there, in order */
async function creates(answer: (response: ServerResponse, index: number) => void, settings = {}) {
	const service = await startService((_request, response, index) => answer(response, index));
	const credential = credentialFor(service.url);
	const { error } = await execute({ items: numbered(1), parameters: customerOfItem, credential, settings });
	return { error, arrived: service.requests.map(vatNumberOf), description: String(error?.description) };
}

const created = (response: ServerResponse) => json(response, 201, { id: '1' });

describe('a create whose outcome is unknown', () => {
	test.each<[string, (response: ServerResponse) => void]>([
		['was answered 500', (response) => json(response, 500, { message: 'Oops', errors: '' })],
		['was answered with JSON nested without end',
			(response) => raw(response, 201, 'application/json', '['.repeat(6_000) + ']'.repeat(6_000))],
		['had its connection broken', (response) => void response.destroy()],
		['had its connection broken in the middle of the response', (response) => {
			response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('{"id"');
			setTimeout(() => response.destroy(), 20);
		}],
	])('because it %s is not sent again by Retry On Fail, and the error names it', async (_name, answer) => {
		const { arrived, description } = await creates((response, index) => (index === 0 ? answer(response) : created(response)), RETRY);
		expect(arrived).toEqual(['C0']);
		expect(description).toContain('The customer with VAT number C0 may already exist');
		expect(description).toContain('The node did not send it again under Retry On Fail');
	});

	test('because it timed out is not sent again', async () => {
		const service = await startService(({ method }, response) => method === 'GET' && json(response, 200, {}));
		// The login is over before the time of the create begins.
		const { store } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
		const parameters = { ...customerOfItem, requestOptions: { timeout: 1_000 } };
		const { error } = await execute({ items: numbered(1), parameters, credential: store, settings: RETRY });
		expect(service.requests.filter(({ method }) => method === 'POST').map(vatNumberOf)).toEqual(['C0']);
		expect(error?.description).toContain('may already exist');
	});

	test('is still what the last attempt reports, when another item is no longer valid then', async () => {
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', bodyContains: '"C0"', count: 1 }] });
		const items = [{ vat: 'C0' }, { vat: 'C1' }];
		const parameters = addCustomer('={{ $json.vat }}', { options: { maxConcurrency: 1 } });
		const ended = run({ items, parameters, settings: RETRY_LATER });
		await until(() => inSandbox().includes('C0'), 'the first attempt');
		items[1]!.vat = '';
		const { error } = await ended;
		expect(error?.context).toMatchObject({ itemIndex: 0, outcome: 'unknown' });
		expect(error?.description).toMatch(/The node did not send it again under Retry On Fail\.$/);
	});
});

test.each<[string, (response: ServerResponse) => void]>([
	['400', (response) => json(response, 400, { message: 'No', errors: '' })],
	['503 with Retry-After in seconds', (response) => void response.writeHead(503, { 'Retry-After': '0' }).end()],
])('a create that was not done, %s, is sent again by Retry On Fail, and the error does not say that it may exist',
	async (_name, answer) => {
	const once = await creates((response, index) => (index === 0 ? answer(response) : created(response)), RETRY);
	expect(once).toMatchObject({ error: undefined, arrived: ['C0', 'C0'] });
	const never = await creates(answer);
	expect(never).toMatchObject({ arrived: ['C0'], description: expect.not.stringContaining('may already exist') });
});

describe('under Retry On Fail', () => {
	test('customers created in an earlier attempt are not created again', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', method: 'POST', path: '/v1', after: 29, count: 1 }] });
		const { error, output } = await run({ items: numbered(50), parameters: customerOfItem, settings: RETRY });
		expect(error).toBeUndefined();
		expect(output.map((item) => item.json.vatNumber)).toEqual(vatNumbers(50));
		expect(inSandbox()).toEqual(vatNumbers(50).sort());
	});

	test('another execution creates again', async () => {
		await run({ parameters: addCustomer('x'), settings: RETRY });
		await run({ parameters: addCustomer('x'), settings: RETRY });
		expect(inSandbox()).toEqual(['x', 'x']);
	});

	test('each attempt sends all items, though the failure of the one before has stopped that one', async () => {
		sandbox.setFaults({ rules: [{ fault: 'latency', ms: 20 }, { fault: 'http500', method: 'GET', after: 20, count: 1 }] });
		const parameters = getGateway('={{ $json.n % 12 + 1 }}');
		const { error, output } = await run({ items: numbered(60), parameters, settings: RETRY });
		expect(error).toBeUndefined();
		expect(output).toHaveLength(60);
		const statuses = sandbox.requests().filter(({ method }) => method === 'GET').map(({ status }) => status);
		expect(statuses.filter((status) => status === 500)).toHaveLength(1);
		// The first attempt is stopped with at most 25 more requests under way, and the second one sends 60.
		expect(statuses.length).toBeGreaterThan(80);
		expect(statuses.length).toBeLessThan(60 + 60);
	});

	test('with On Error set to continue, an item that differs in the next attempt creates nothing more', async () => {
		sandbox.setFaults({ rules: [{ fault: 'http400', bodyContains: '"C0"', count: 1 },
			{ fault: 'resetAfter', bodyContains: '"C3"', count: 1 }] });
		const items = vatNumbers(4).map((vat) => ({ vat }));
		const settings = { ...RETRY_LATER, onError: 'continueRegularOutput' } as const;
		const ended = run({ items, parameters: addCustomer('={{ $json.vat }}'), settings });
		await until(() => inSandbox().length === 3, 'the first attempt');
		items[1]!.vat = 'another';
		items[2]!.vat = '';
		items[3]!.vat = '';
		const outputs = (await ended).output.map(({ json: { vatNumber, error } }) => vatNumber ?? (error as { outcome: string }).outcome);
		expect(outputs).toEqual(['C0', 'C1', 'C2', 'unknown']);
		expect(inSandbox()).toEqual(vatNumbers(4));
	});

	test('a failure of n8n before the first request leaves is recovered from', async () => {
		/** With a message that could be of the connection. */
		class FailingOnce extends CredentialStore {
			private failures = 1;

			override async authenticate(data: ICredentialDataDecryptedObject, type: string, options: IHttpRequestOptions) {
				if (this.failures-- > 0) throw Object.assign(new Error('timeout exceeded when trying to connect'), { code: 'ECONNRESET' });
				return await super.authenticate(data, type, options);
			}
		}
		const credential = new FailingOnce(credentialFor(sandbox.url));
		const { error } = await execute({ items: numbered(3), parameters: customerOfItem, credential, settings: RETRY });
		expect(error).toBeUndefined();
		expect(inSandbox()).toEqual(vatNumbers(3));
	});

	test.each([
		// The only item: its outcome is still unknown.
		[500, 1, { itemIndex: 0, code: 'service_error', outcome: 'unknown' }, /The customer with VAT number C0 may already exist/],
		// The first of two: it gives its output again, and the error is that of the other.
		[201, 2, { itemIndex: 1, code: 'invalid_credential', outcome: 'not_sent' }, /./],
	])('a create that was answered %i keeps its result when the credential cannot be used any more',
		async (status, count, context, description) => {
		const store = new CredentialStore({});
		const service = await startService((request, response) => {
			store.stored.baseUrl = 'not a url';
			json(response, vatNumberOf(request) === 'C1' ? 400 : status, { message: 'Oops', errors: '' });
		});
		store.stored = credentialFor(service.url, { clientSecret: `key-${status}` });
		const { error } = await execute({ items: numbered(count), parameters: customerOfItem, credential: store, settings: RETRY });
		expect(error?.context).toMatchObject(context);
		expect(error?.description).toMatch(description);
		expect(service.requests.map(vatNumberOf).sort()).toEqual(vatNumbers(count));
	});
});

test('the outcome of a request that was retried is that of the attempt that may have been done', async () => {
	const service = await startService((_request, response, index) => json(response, index === 0 ? 504 : 400, { message: 'No', errors: '' }));
	const parameters = setPremium(1001, 'IT', { options: { maxRetries: 1 } });
	const { error } = await execute({ parameters, credential: credentialFor(service.url) });
	expect(error?.context).toMatchObject({ code: 'rejected', outcome: 'unknown' });
	expect(service.requests).toHaveLength(2);
});
