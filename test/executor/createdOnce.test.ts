import type { ServerResponse } from 'node:http';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute, type Execution } from '../support/executor/execute';
import { startService } from '../support/executor/startService';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { type Arrived, json } from '../support/recorder';



const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const customerOfItem = addCustomer('={{ $json.vat }}');
const vatNumberOf = ({ body }: Arrived) => (JSON.parse(body) as { vatNumber: string }).vatNumber;
const customers = (count: number) => numbered(count).map(({ n }) => ({ vat: `C${n}` }));

/** Answers a create; `nth` is how often the customer has arrived. */
type Answer = (response: ServerResponse, vatNumber: string, nth: number) => void;

const created: Answer = (response, vatNumber) => json(response, 201, { vatNumber });
const rejected: Answer = (response) => json(response, 400, { message: 'No', errors: '' });

/** Creates customers in a service that answers as told, by default one, under Retry On Fail. `arrived` is which arrived there, in order. */
async function creates(answer: Answer, more: Partial<Execution> & { store?: CredentialStore } = {}) {
	const arrived: string[] = [];
	const service = await startService((request, response) => {
		const vatNumber = vatNumberOf(request);
		arrived.push(vatNumber);
		answer(response, vatNumber, arrived.filter((each) => each === vatNumber).length);
	});
	const { store = new CredentialStore({}) } = more;
	store.stored = credentialFor(service.url);
	const result = await execute({ items: customers(1), parameters: customerOfItem, credential: store, settings: RETRY, ...more });
	return { ...result, arrived, description: String(result.error?.description) };
}

describe('a create whose outcome is unknown', () => {
	test.each<[string, Answer]>([
		['was answered 500', (response) => json(response, 500, { message: 'Oops', errors: '' })],
		['had its connection broken in the middle of the response', (response) => {
			response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('{"id"', () => response.destroy());
		}],
	])('because it %s is not sent again by Retry On Fail, and the error names it', async (_name, answer) => {
		const { arrived, description } = await creates((...create) => (create[2] === 1 ? answer : created)(...create));
		expect(arrived).toEqual(['C0']);
		expect(description).toContain('Look for the customer with VAT number C0 in');
		expect(description).toContain('The node did not send it again under Retry On Fail');
	});
});

test.each<[string, Answer]>([
	['400', rejected],
	["503 with Retry-After and the API's own error body", (response) => json(response.setHeader('Retry-After', '0'), 503,
		{ status: 'Unavailable', message: 'Busy', errors: [] })],
])('a create that was not done, %s, is sent again by Retry On Fail, and the error does not say that it may exist',
	async (_name, answer) => {
	const once = await creates((...create) => (create[2] === 1 ? answer : created)(...create));
	expect(once).toMatchObject({ error: undefined, arrived: ['C0', 'C0'] });
	const never = await creates(answer, { settings: {} });
	expect(never).toMatchObject({ arrived: ['C0'], description: expect.not.stringContaining('Look for') });
});

describe('under Retry On Fail', () => {
	test('customers created in an earlier attempt are not created again, but in another execution', async () => {
		const answer: Answer = (...create) => (create[1] === 'C29' && create[2] === 1 ? rejected : created)(...create);
		const { error, output, arrived, store } = await creates(answer, { items: customers(50) });
		expect(error).toBeUndefined();
		expect(output.map((item) => item.json.vatNumber)).toEqual(customers(50).map(({ vat }) => vat));
		expect(arrived.sort()).toEqual([...customers(50).map(({ vat }) => vat), 'C29'].sort());
		await execute({ items: customers(1), parameters: customerOfItem, credential: store, settings: RETRY });
		expect(arrived.slice(51)).toEqual(['C0']);
	});

	test.each<[string, INodeParameters, string | undefined]>([
		['gateways', getGateway('={{ $json.n }}', { options: { maxConcurrency: 1 } }), undefined],
		['premium, whose countries are named where a failure stops the run', setPremium('={{ $json.n }}', 'IT', { options: { maxConcurrency: 1 } }),
			'Done before the run stopped: trunk 1, country IT; trunk 2, country IT.'],
	])('what has succeeded is not sent again, and everything else is, whatever the operation: %s', async (_name, parameters, named) => {
		const service = await startService((_request, response, index) => json(response, index === 2 ? 500 : 200, { id: index }));
		const execution = { items: numbered(5).map(({ n }) => ({ n: n + 1 })), parameters, credential: credentialFor(service.url) };
		const { error, output } = await execute({ ...execution, settings: RETRY });
		expect(error).toBeUndefined();
		expect(output.map((item) => item.json.id)).toEqual([0, 1, 3, 4, 5]);
		const numberIn = ({ body, target }: Arrived) => (body === '' ? Number(target.at(-1)) : (JSON.parse(body) as { idTrunk: number }).idTrunk);
		expect(service.requests.map(numberIn)).toEqual([1, 2, 3, 3, 4, 5]);
		service.requests.length = 0;
		expect(String((await execute(execution)).error?.description)).toEqual(named ? expect.stringContaining(named) : expect.not.stringContaining('before'));
	});

	test('with On Error set to continue, an item that differs in the next attempt creates nothing more', async () => {
		const items = customers(4);
		const answer: Answer = (response, vatNumber, nth) => {
			if (vatNumber === 'C0' && nth === 1) return rejected(response, vatNumber, nth);
			if (vatNumber !== 'C3') return created(response, vatNumber, nth);
			items[1]!.vat = 'another';
			items[2]!.vat = '';
			items[3]!.vat = '';
			response.destroy();
		};
		const { output, arrived } = await creates(answer, { items, settings: { ...RETRY, onError: 'continueRegularOutput' } });
		const given = output.map(({ json: { vatNumber, error } }) => vatNumber ?? (error as { outcome: string }).outcome);
		expect(given).toEqual(['C0', 'C1', 'C2', 'unknown']);
		expect(arrived.sort()).toEqual(['C0', 'C0', 'C1', 'C2', 'C3']);
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
		const store = new FailingOnce({});
		const { error, arrived } = await creates(created, { items: customers(3), store });
		expect(error).toBeUndefined();
		expect(arrived.sort()).toEqual(['C0', 'C1', 'C2']);
	});

	test.each([
		// The only item: its outcome is still unknown.
		[500, 1, { itemIndex: 0, code: 'service_error', outcome: 'unknown' }, /Look for the customer with VAT number C0 in/],
		// The first of two: it gives its output again, and the error is that of the other, which was sent once.
		[201, 2, { itemIndex: 1, code: 'invalid_credential', outcome: 'not_done' }, /./],
	])('a create that was answered %i keeps its result when the credential cannot be used any more',
		async (status, count, context, message) => {
		const store = new CredentialStore({});
		const answer: Answer = (response, vatNumber) => {
			store.stored.baseUrl = 'not a url';
			json(response, vatNumber === 'C1' ? 400 : status, { message: 'Oops', errors: '' });
		};
		const { error, arrived, description } = await creates(answer, { items: customers(count), store });
		expect(error?.context).toMatchObject(context);
		expect(description).toMatch(message);
		expect(arrived.sort()).toEqual(customers(count).map(({ vat }) => vat));
	});
});

test('the outcome of a request that was retried is that of the attempt that may have been done', async () => {
	const service = await startService((_request, response, index) => json(response, index === 0 ? 504 : 400, { message: 'No', errors: '' }));
	const parameters = setPremium(1001, 'IT', { options: { maxRetries: 1 } });
	const { error } = await execute({ parameters, credential: credentialFor(service.url) });
	expect(error?.context).toMatchObject({ code: 'rejected', outcome: 'unknown' });
	expect(service.requests).toHaveLength(2);
});
