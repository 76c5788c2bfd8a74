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

const UNKNOWN = { title: 'We have your application', says: /Please do not send it again/ };
const NOT_CREATED = { title: 'Please try again later', says: /nothing was saved/i };

/** What each example says of an outcome; which failure has which is in test/executor/outcome. */
const PAGES: Array<{ title: string; says: RegExp; rule: FaultRule; created: number }> = [
	{ ...UNKNOWN, rule: { fault: 'resetAfter', path: CREATE, count: 1 }, created: 1 },
	{ ...UNKNOWN, rule: { fault: 'htmlPage', path: CREATE, count: 1 }, created: 0 },
	// As often as it is sent: with a token older than a minute, twice.
	{ ...NOT_CREATED, rule: { fault: 'http403', path: CREATE }, created: 0 },
	{ ...NOT_CREATED, rule: { fault: 'http503', path: CREATE, retryAfterSeconds: 1, count: 1 }, created: 0 },
];

const ALREADY = 'We have your application already';

export function tests(fixture: () => ExamplesFixture): void {
	/** The data table outlives a test, so each applicant applies in one test only. */
	let applicants = 0;
	const newVatNumber = () => `DE${String(900_000_000 + applicants++)}`;
	const applyTo = async (id: string, vatNumber: string, more: Record<string, string> = {}) => {
		const answers = { 'Company name': 'Example S.p.A.', 'VAT number': vatNumber, City: 'Milano', 'E-mail': 'office@company.example' };
		return await sendForm(`${fixture().server.url}/form/${id}`, { ...answers, ...more });
	};
	const created = () => fixture().sandbox.state().customers.map(({ vatNumber }) => vatNumber);
	const fault = (...rules: FaultRule[]) => fixture().sandbox.setFaults({ rules });

	describe.each([
		[WITH_LEDGER, 'Please check your VAT number'],
		[BASIC, 'Please correct your application'],
	])('%s', (id, notValid) => {
		test('ends with the number of the customer that it has created', async () => {
			expect(await applyTo(id, 'it 12345678903')).toEqual({ title: 'Welcome', text: 'Your customer number is 1.' });
			const stored = { vatNumber: 'IT12345678903', name: 'Example S.p.A.', city: 'Milano', email: 'office@company.example' };
			expect(fixture().sandbox.state().customers).toEqual([expect.objectContaining(stored)]);
		});

		test('asks to correct a VAT number that is not valid, and sends nothing', async () => {
			const { title, text } = await applyTo(id, 'IT12345678904');
			expect([title, text]).toEqual([notValid, expect.stringContaining('IT12345678904')]);
			expect(fixture().sandbox.requests()).toEqual([]);
		});

		test('says in the words of the API what else is to be corrected, and takes the corrected form', async () => {
			const vatNumber = newVatNumber();
			const errors = [{ field: 'city', message: 'must not be <empty>' }];
			fault({ fault: 'http400', path: CREATE, count: 1, message: 'Validation failed', errors });
			const { title, text } = await applyTo(id, vatNumber, { City: '' });
			expect([title, text]).toEqual(['Please correct your application', expect.stringContaining('city: must not be &lt;empty&gt;')]);
			expect((await applyTo(id, vatNumber)).title).toBe('Welcome');
			expect(created()).toEqual([vatNumber]);
		});

		test.each(PAGES)('says "$title" after $rule.fault, and tells nothing of the service', async ({ title, says, rule, created: count }) => {
			fault(rule);
			const page = await applyTo(id, newVatNumber());
			expect([page.title, page.text]).toEqual([title, expect.stringMatching(says)]);
			expect(page.text).not.toMatch(/key|http|service/i);
			expect(created()).toHaveLength(count);
		});
	});

	const apply = async (vatNumber: string) => await applyTo(WITH_LEDGER, vatNumber);

	test('shows a VAT number that is none as it was entered', async () => {
		expect((await apply('<script>')).text).toMatch(/^"&lt;script&gt;" is not a (valid )?VAT number[^]*Nothing was saved/);
	});

	test('sends a VAT number once, however it is written and however often the form is sent', async () => {
		expect((await apply('IT01234567897')).title).toBe('Welcome');
		for (const again of ['IT01234567897', '01234567897', 'it 0123456 7897']) expect((await apply(again)).title).toBe(ALREADY);
		expect(created()).toEqual(['IT01234567897']);
	});

	test('sends a VAT number once, when the form is sent several times at once', async () => {
		const vatNumber = newVatNumber();
		const pages = await Promise.all(Array.from({ length: 6 }, async () => await apply(vatNumber)));
		expect(pages.map(({ title }) => title).sort()).toEqual([...Array<string>(5).fill(ALREADY), 'Welcome']);
		expect(created()).toEqual([vatNumber]);
	});

	test('where it is unknown whether the customer exists, tells the staff, and takes no second application', async () => {
		const vatNumber = newVatNumber();
		fault(PAGES[0]!.rule);
		await apply(vatNumber);
		const detail = expect.stringContaining(`The customer with VAT number ${vatNumber} may already exist. Look for it in your provider's records before you send it again`);
		expect(fixture().people.taken()).toEqual([expect.objectContaining({ vatNumber, company: 'Example S.p.A.', state: 'unknown', detail })]);
		expect((await apply(vatNumber)).title).toBe(ALREADY);
		expect(fixture().sandbox.state().counters.byOperation.addCustomer).toBe(1);
	});

	test('where it is certain that nothing was created, takes the form later', async () => {
		const vatNumber = newVatNumber();
		fault(PAGES[2]!.rule);
		await apply(vatNumber);
		fault();
		expect((await apply(vatNumber)).title).toBe('Welcome');
		expect(created()).toEqual([vatNumber]);
	});
}
