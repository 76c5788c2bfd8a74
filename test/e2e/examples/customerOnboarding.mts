import type { FaultRule } from '../../../sandbox';
import { readExample, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { sendForm } from './n8nForm.mts';

const WITH_LEDGER = 'customer-onboarding';
const BASIC = 'customer-onboarding-basic';

export const IDS = [WITH_LEDGER, BASIC];

export const prepare: Prepare = async ({ people }) => [
	withPostInPlaceOf(await readExample(WITH_LEDGER), 'Tell the staff here', people.url),
	await readExample(BASIC),
];

const CREATE = '/v1/customers/add';
const LOST_REPLY: FaultRule = { fault: 'resetAfter', path: CREATE, count: 1 };
// As often as it is sent: with a token older than a minute, twice.
const NOT_PERMITTED: FaultRule = { fault: 'http403', path: CREATE };

/** What each example says of an outcome; which failure has which is in test/executor/codes. */
const PAGES: Array<{ title: string; says: RegExp; rule: FaultRule; created: number }> = [
	{ title: 'We have your application', says: /Please do not send it again/, rule: LOST_REPLY, created: 1 },
	{ title: 'Please try again later', says: /nothing was saved/i, rule: NOT_PERMITTED, created: 0 },
];

const ALREADY = 'We have your application already';
const VAT_NUMBER = 'DE900000000';

export function tests(fixture: () => ExamplesFixture): void {
	const applyTo = async (id: string, vatNumber = VAT_NUMBER, City = 'Milano') => {
		const answers = { 'Company name': 'Example S.p.A.', 'VAT number': vatNumber, City, 'E-mail': 'office@company.example' };
		return await sendForm(`${fixture().server.url}/form/${id}`, answers);
	};
	const apply = async (vatNumber?: string) => await applyTo(WITH_LEDGER, vatNumber);
	const created = () => fixture().sandbox.state().customers.map(({ vatNumber }) => vatNumber);
	const fault = (...rules: FaultRule[]) => fixture().sandbox.setFaults({ rules });

	describe.each([
		[WITH_LEDGER, 'Please check your VAT number'],
		[BASIC, 'Please correct your application'],
	])('%s', (id, notValid) => {
		test('ends with the number of the customer that it has created', async () => {
			expect(await applyTo(id, 'it 12345678903')).toMatchObject({ title: 'Welcome', text: 'Your customer number is 1.' });
			const stored = { vatNumber: 'IT12345678903', name: 'Example S.p.A.', city: 'Milano', email: 'office@company.example' };
			expect(fixture().sandbox.state().customers).toEqual([expect.objectContaining(stored)]);
		});

		test('asks to correct a VAT number that is not valid, and sends nothing', async () => {
			expect(await applyTo(id, 'IT12345678904')).toMatchObject({ title: notValid, text: expect.stringContaining('IT12345678904') });
			expect(fixture().sandbox.requests()).toEqual([]);
		});

		test('says in the words of the API what else is to be corrected, and takes the corrected form', async () => {
			const errors = [{ field: 'city', message: 'must not be <empty>' }];
			fault({ fault: 'http400', path: CREATE, count: 1, message: 'Validation failed', errors });
			const text = expect.stringContaining('city: must not be &lt;empty&gt;') as string;
			expect(await applyTo(id, VAT_NUMBER, '')).toMatchObject({ title: 'Please correct your application', text });
			expect((await applyTo(id)).title).toBe('Welcome');
			expect(created()).toEqual([VAT_NUMBER]);
		});

		test.each(PAGES)('says "$title" after $rule.fault, and tells nothing of the service', async ({ title, says, rule, created: count }) => {
			fault(rule);
			const page = await applyTo(id);
			expect(page).toMatchObject({ title, text: expect.stringMatching(says) });
			expect(page.text).not.toMatch(/key|http|service/i);
			expect(created()).toHaveLength(count);
		});
	});

	test('shows a VAT number that is none as it was entered', async () => {
		expect((await apply('<script>')).text).toMatch(/^"&lt;script&gt;" is not a (valid )?VAT number[^]*Nothing was saved/);
	});

	test('sends a VAT number once, however it is written and however often the form is sent, also several times at once', async () => {
		// The first application creates the table.
		await apply();
		const pages = await Promise.all(Array.from({ length: 6 }, async () => await apply('IT01234567897')));
		expect(pages.map(({ title }) => title).sort()).toEqual([...Array<string>(5).fill(ALREADY), 'Welcome']);
		for (const again of ['01234567897', 'it 0123456 7897']) expect((await apply(again)).title).toBe(ALREADY);
		expect(created()).toEqual([VAT_NUMBER, 'IT01234567897']);
	});

	test('where it is unknown whether the customer exists, tells the staff, and takes no second application', async () => {
		fault(LOST_REPLY);
		await apply();
		const says = `Look for the customer with VAT number ${VAT_NUMBER} in your provider's records`;
		const told = { vatNumber: VAT_NUMBER, company: 'Example S.p.A.', state: 'unknown', detail: expect.stringContaining(says) as string };
		expect(fixture().people.taken()).toEqual([expect.objectContaining(told)]);
		expect((await apply()).title).toBe(ALREADY);
		expect(fixture().sandbox.state().counters.byOperation.addCustomer).toBe(1);
	});

	test('where it is certain that nothing was created, takes the form later', async () => {
		fault(NOT_PERMITTED);
		await apply();
		fault();
		expect((await apply()).title).toBe('Welcome');
		expect(created()).toEqual([VAT_NUMBER]);
	});
}
