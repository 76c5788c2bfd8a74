import type { FaultRule } from '../../../sandbox';
import { chainNodes } from '../../../scripts/n8n/workflow.mts';
import { type Example, readExample, withNode, withoutLogin, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { callsOf, CREATE, LOST_REPLY } from './createCustomersOnce.mts';
import { sendForm } from './n8nForm.mts';

const BASIC = 'customer-basic';
const ONCE = 'become-a-customer';
/** The form where the workflow that it calls fails. */
const FAILING = 'formFailing';
const FAILS = 'fails';

export const IDS = ['customersFromForm', BASIC, FAILS, FAILING];

export const prepare: Prepare = async ({ people }) => {
	const telling = (workflow: Example, name: string) => withPostInPlaceOf(workflow, name, people.url);
	const example = ['Tell your staff', 'Tell your staff: failed'].reduce(telling, readExample('customers-from-form'));
	const failing = withNode(example, 'Create customers once', ({ parameters }) => {
		parameters.workflowId = { __rl: true, mode: 'list', value: FAILS };
	});
	const start = {
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const stop = {
		name: 'Stop',
		type: 'n8n-nodes-base.stopAndError',
		typeVersion: 1,
		parameters: { errorMessage: 'The table is gone.' },
	};
	const fails = chainNodes({ id: FAILS, name: 'Fails', start, nodes: [stop] }) as unknown as Example;
	return [example, fails, withoutLogin(failing, FAILING), readExample(BASIC)];
};

// As often as it is sent: with a token older than a minute, twice.
const NOT_PERMITTED: FaultRule = { fault: 'http', status: 403, path: CREATE };

/** What each example says of an outcome; which failure has which is in test/executor/codes. */
const PAGES: Array<{ title: string; says: RegExp; rule: FaultRule; created: number }> = [
	{ title: 'We have your application', says: /Please don't send it again/, rule: LOST_REPLY, created: 1 },
	{ title: 'Please try again later', says: /no customer record was created/i, rule: NOT_PERMITTED, created: 0 },
];

const ALREADY = 'We already have this VAT number';
const VAT_NUMBER = 'DE900000000';

export function tests(fixture: () => ExamplesFixture): void {
	const { created, inject, send } = callsOf(fixture);
	const applyTo = async (id: string, vatNumber = VAT_NUMBER, City = 'Milano') => {
		const answers = {
			'Company name': 'Example S.p.A.',
			'VAT number': vatNumber,
			City,
			Email: 'office@company.example',
		};
		const page = await sendForm(`${fixture().server.url}/form/${id}`, answers);
		expect(page.text).not.toMatch(/n8n|workflow|execution|turn off|this item|attempts|no details/i);
		return page;
	};
	const apply = async (vatNumber?: string) => await applyTo(ONCE, vatNumber);

	describe.each([ONCE, BASIC])('%s', (id) => {
		test('ends with the number of the customer that it has created', async () => {
			expect(await applyTo(id, 'it 12345678903', '')).toMatchObject({
				title: 'Welcome',
				text: 'Your customer number is 1.',
			});
			const stored = { vatNumber: 'IT12345678903', name: 'Example S.p.A.', email: 'office@company.example' };
			expect(fixture().sandbox.getRecordsAndCounters().customers).toEqual([expect.objectContaining(stored)]);
			// What is left empty in the form is no field of the record.
			if (id === ONCE) expect(fixture().sandbox.getRecordsAndCounters().customers[0]).not.toHaveProperty('city');
		});

		test.each(['IT12345678904', '<script>'])(
			'asks to correct a VAT number that is not valid, and sends nothing: %s',
			async (wrong) => {
				const text = expect.stringContaining(wrong.replace('<', '&lt;').replace('>', '&gt;')) as string;
				expect(await applyTo(id, wrong)).toMatchObject({ title: 'Please correct your application', text });
				expect(fixture().sandbox.getRequests()).toEqual([]);
			},
		);

		test('says in the words of the API what else is to be corrected, and takes the corrected form', async () => {
			const errors = [{ field: 'city', message: 'must not be <empty>' }];
			inject({ fault: 'http', status: 400, path: CREATE, count: 1, message: 'Validation failed', errors });
			const text = expect.stringContaining('city: must not be &lt;empty&gt;') as string;
			expect(await applyTo(id, VAT_NUMBER, '')).toMatchObject({ title: 'Please correct your application', text });
			inject({ fault: 'http', status: 400, path: CREATE, count: 1, message: 'Not in this city', errors: '' });
			expect((await applyTo(id)).text).toBe(
				'No customer record was created.\n\nNot in this city\n\nPlease go back, correct it and submit the form again.',
			);
			expect((await applyTo(id)).title).toBe('Welcome');
			expect(created()).toEqual([VAT_NUMBER]);
		});

		test.each(PAGES)(
			'says "$title" after $rule.fault, tells nothing of the service, tells the staff, and takes the form again if nothing was created',
			async ({ title, says, rule, created: count }) => {
				inject(rule);
				const page = await applyTo(id);
				expect(page).toMatchObject({ title, text: expect.stringMatching(says) });
				expect(page.text).not.toMatch(/key|http|service/i);
				expect(created()).toHaveLength(count);
				const told = id === ONCE ? [expect.objectContaining({ result: count === 0 ? 'failed' : 'open' })] : [];
				expect(fixture().people.taken()).toEqual(told);
				inject();
				if (count === 0) expect((await applyTo(id)).title).toBe('Welcome');
			},
		);
	});

	test('sends a VAT number once, however it is written and however often the form is sent, also with a list at once', async () => {
		const sending = send([{ vatNumber: 'IT01234567897', name: 'Example S.p.A.' }]);
		const pages = await Promise.all(Array.from({ length: 3 }, async () => await apply('IT01234567897')));
		const results = [
			...pages.map(({ title }) => title),
			(await sending)[0]!.result === 'created' ? 'Welcome' : ALREADY,
		];
		expect(results.sort()).toEqual([...Array<string>(3).fill(ALREADY), 'Welcome']);
		for (const again of ['01234567897', 'it 0123456 7897']) expect((await apply(again)).title).toBe(ALREADY);
		expect(created()).toEqual(['IT01234567897']);
	});

	test('where it is unknown whether the customer exists, says it all to the staff, and sends no second application', async () => {
		inject(LOST_REPLY);
		await apply();
		const says = `Look for the customer with VAT number ${VAT_NUMBER} in your provider's records`;
		const fields = { city: 'Milano', email: 'office@company.example' };
		const told = {
			vatNumber: VAT_NUMBER,
			name: 'Example S.p.A.',
			fields,
			result: 'open',
			reason: expect.stringContaining(says) as string,
		};
		expect(fixture().people.taken()).toEqual([expect.objectContaining(told)]);
		expect((await apply()).title).toBe('We have your application');
		expect(fixture().sandbox.getRecordsAndCounters().counters.byOperation.addCustomer).toBe(1);
	});

	test('tells the staff of an application if the workflow that it calls fails', async () => {
		expect((await applyTo(FAILING)).title).toBe('We have your application');
		expect(fixture().people.taken()).toEqual([
			expect.objectContaining({ vatNumber: VAT_NUMBER, result: 'open', reason: 'The table is gone.' }),
		]);
	});
}
