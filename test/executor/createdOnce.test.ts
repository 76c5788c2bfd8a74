import type { ServerResponse } from 'node:http';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import {
	addCustomer,
	type Arrived,
	CONTINUE,
	credentialFor,
	CredentialStore,
	execute,
	type Execution,
	json,
	MODES,
	numbered,
	RETRY,
	setPremium,
	startService,
} from '../support/executor';

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
	const result = await execute({
		items: customers(1),
		parameters: customerOfItem,
		credential: store,
		settings: RETRY,
		...more,
	});
	return { ...result, arrived, description: String(result.error?.description) };
}

describe('under Retry On Fail', () => {
	test.each(MODES)(
		'a customer that may exist ends the next try before it creates another one, in an execution of mode %s',
		async (mode) => {
			const parameters = { ...customerOfItem, options: { validateVatNumber: false, maxConcurrency: 1 } };
			const unknown: Answer = (response) => json(response, 500, { message: 'Oops', errors: '' });
			const { error, arrived } = await creates(unknown, { items: customers(3), parameters, mode });
			expect(error).toMatchObject({ context: { outcome: 'unknown', itemIndex: 0 } });
			expect(arrived).toEqual(['C0']);
		},
	);

	test('with On Error set to continue, an item that differs in the next try creates nothing more', async () => {
		const items = customers(4);
		const answer: Answer = (response, vatNumber, nth) => {
			if (vatNumber === 'C0' && nth === 1) return rejected(response, vatNumber, nth);
			if (vatNumber !== 'C3') return created(response, vatNumber, nth);
			items[1]!.vat = 'another';
			items[2]!.vat = '';
			items[3]!.vat = '';
			response.destroy();
		};
		const { output, arrived } = await creates(answer, { items, settings: { ...RETRY, ...CONTINUE } });
		const given = output.map(({ json: { vatNumber, error } }) => vatNumber ?? (error as { outcome: string }).outcome);
		expect(given).toEqual(['C0', 'not_sent', 'unknown', 'unknown']);
		expect(output[1]!.json.error).toMatchObject({
			message:
				'An earlier attempt of this item created the customer with VAT number C1, and this one would create the customer with VAT number another',
		});
		expect(arrived.sort()).toEqual(['C0', 'C0', 'C1', 'C2', 'C3']);
	});

	test('with On Error set to continue, an item that is not valid in the next try says which of its countries were done before', async () => {
		const items = [{ iso: 'ES' }, { iso: 'IT, FR, DE' }];
		const service = await startService((request, response) => {
			// The first item fails once: n8n looks at its result alone.
			const isRejected = service.requests.length <= 4 && /ES|FR/.test(request.body);
			if (isRejected) items[1]!.iso = 'nowhere';
			json(response, isRejected ? 400 : 200, isRejected ? { message: 'No', errors: '' } : { ok: true });
		});
		const settings = { ...RETRY, ...CONTINUE };
		const { output } = await execute({
			items,
			parameters: setPremium('1001', '={{ $json.iso }}'),
			credential: credentialFor(service.url),
			settings,
		});
		const description = expect.stringMatching(
			/ sent: trunk 1001, country IT; trunk 1001, country DE\.\nAsk your provider/,
		) as string;
		const failed = { code: 'invalid_parameter', outcome: 'unknown', description };
		expect(output.map((item) => item.json.error ?? item.json)).toMatchObject([{ ok: true }, failed]);
		expect(service.requests).toHaveLength(5);
	});

	test('the item that has created a customer counts as the first of two, whichever comes first in the next try', async () => {
		const items = [{ vat: '' }, { vat: 'C0' }];
		const answer: Answer = (response, vatNumber, nth) => {
			items[0]!.vat = 'C0';
			created(response, vatNumber, nth);
		};
		const { output, arrived } = await creates(answer, { items, settings: { ...RETRY, ...CONTINUE } });
		expect(output.map((item) => item.json.error ?? item.json.vatNumber)).toMatchObject([
			{
				message: expect.stringContaining(
					'Item 1 of this run (counted from 0) would also create the customer',
				) as string,
			},
			'C0',
		]);
		expect(arrived).toEqual(['C0']);
	});

	test('a customer that was created is not created again, and is output, when the key was replaced before the next try', async () => {
		const store = new CredentialStore({});
		const answer: Answer = (response, vatNumber, nth) => {
			store.stored.clientSecret = 'the key that replaced it';
			(vatNumber === 'C1' && nth === 1 ? rejected : created)(response, vatNumber, nth);
		};
		const { output, error, arrived } = await creates(answer, { items: customers(2), store });
		expect(error?.message).toBeUndefined();
		expect(output.map(({ json: { vatNumber } }) => vatNumber)).toEqual(['C0', 'C1']);
		expect(arrived.sort()).toEqual(['C0', 'C1', 'C1']);
	});

	test('a failure of n8n before the first request leaves is recovered from', async () => {
		/** With a message that could be of the connection. */
		class FailingOnce extends CredentialStore {
			private failures = 1;

			override async authenticate(data: ICredentialDataDecryptedObject, type: string, options: IHttpRequestOptions) {
				if (this.failures-- > 0)
					throw Object.assign(new Error('timeout exceeded when trying to connect'), { code: 'ECONNRESET' });
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
		[
			500,
			1,
			{ itemIndex: 0, code: 'invalid_credential', outcome: 'unknown' },
			/An earlier attempt has, or may have, sent: customer with VAT number C0/,
		],
		// The first of two: the error is that of the other, which was sent once, and says that it was created.
		[
			201,
			2,
			{ itemIndex: 1, code: 'invalid_credential', outcome: 'not_sent' },
			/Created .+ item 0 \(counted from 0\)\. A new execution sends them again/,
		],
	])(
		'a create that was answered %i keeps its result when the credential cannot be used any more',
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
		},
	);
});
