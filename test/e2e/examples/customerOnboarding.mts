import type { FaultRule } from '../../../sandbox';
import { readExample, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { sendForm } from './n8nForm.mts';

export const ID = 'customer-onboarding';

export const prepare: Prepare = async ({ people }) => [withPostInPlaceOf(await readExample(ID), 'Tell the staff here', people.url)];

const CREATE = '/v1/customers/add';

/** Faults after which it is unknown whether the customer was created. */
const UNKNOWN: FaultRule[] = [
	{ fault: 'http500', path: CREATE, count: 1 },
	{ fault: 'http503', path: CREATE, count: 1 },
	{ fault: 'resetAfter', path: CREATE, count: 1 },
	{ fault: 'truncatedJson', path: CREATE, count: 1 },
	{ fault: 'htmlPage', path: CREATE, count: 1 },
];

/** Faults after which it is certain that there is no customer, and which the applicant cannot correct. */
const NOT_CREATED: FaultRule[] = [
	// As often as it is sent: with a token older than a minute, twice.
	{ fault: 'http403', path: CREATE },
	{ fault: 'http404', path: CREATE, count: 1 },
	{ fault: 'http503', path: CREATE, count: 1, retryAfterSeconds: 1 },
];

export function tests(fixture: () => ExamplesFixture): void {
	/** The data table outlives a test, so each applicant applies in one test only. */
	let applicants = 0;
	const newVatNumber = () => `DE${String(900_000_000 + applicants++)}`;
	const apply = async (vatNumber: string, more: Record<string, string> = {}) =>
		await sendForm(`${fixture().server.url}/form/customer-onboarding`, { 'Company name': 'Example S.p.A.', 'VAT number': vatNumber, City: 'Milano', 'E-mail': 'office@company.example', ...more });
	const created = () => fixture().sandbox.state().customers.map(({ vatNumber }) => vatNumber);
	const fault = (...rules: FaultRule[]) => fixture().sandbox.setFaults({ rules });

	test('ends with the number of the customer that it has created', async () => {
		expect(await apply('it 12345678903')).toEqual({ title: 'Welcome', text: 'Your customer number is 1.' });
		expect(fixture().sandbox.state().customers).toEqual([expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.', city: 'Milano', email: 'office@company.example' })]);
	});

	test.each(['IT12345678904', 'IT123', '1234567890', 'none', '<script>'])('asks to correct the VAT number %s, and sends nothing', async (vatNumber) => {
		const { title, text } = await apply(vatNumber);
		expect(title).toBe('Please check your VAT number');
		expect(text).toMatch(new RegExp(`^"${vatNumber.replace('<', '&lt;').replace('>', '&gt;')}" is not a (valid )?VAT number[^]*Nothing was saved`));
		expect(fixture().sandbox.requests()).toEqual([]);
	});

	test('says in the words of the API what else is to be corrected, and takes the corrected form', async () => {
		const vatNumber = newVatNumber();
		fault({ fault: 'http400', path: CREATE, count: 1, message: 'Validation failed', errors: [{ field: 'city', message: 'must not be <empty>' }] });
		const rejected = await apply(vatNumber, { City: '' });
		expect(rejected.title).toBe('Please correct your application');
		expect(rejected.text).toMatch(/^Nothing was saved\.\n\nValidation failed\ncity: must not be &lt;empty&gt;\.\nThe customer with VAT number DE9\d+ was not created\.\n/);
		expect((await apply(vatNumber)).title).toBe('Welcome');
		expect(created()).toEqual([vatNumber]);
	});

	test('sends a VAT number once, however it is written and however often the form is sent', async () => {
		expect((await apply('IT01234567897')).title).toBe('Welcome');
		for (const again of ['IT01234567897', '01234567897', 'it 0123456 7897']) expect((await apply(again)).title).toBe('We have your application already');
		expect(created()).toEqual(['IT01234567897']);
	});

	test('sends a VAT number once, when the form is sent several times at once', async () => {
		const vatNumber = newVatNumber();
		const pages = await Promise.all(Array.from({ length: 6 }, async () => await apply(vatNumber)));
		expect(pages.map(({ title }) => title).sort()).toEqual([...Array<string>(5).fill('We have your application already'), 'Welcome']);
		expect(created()).toEqual([vatNumber]);
	});

	test.each(UNKNOWN)('where it is unknown whether the customer exists ($fault), it tells the staff, and does not ask to send again', async (rule) => {
		const vatNumber = newVatNumber();
		fault(rule);
		const { title, text } = await apply(vatNumber);
		expect(title).toBe('We have your application');
		expect(text).toContain('Please do not send it again.');
		expect(fixture().people.taken()).toEqual([expect.objectContaining({ vatNumber, company: 'Example S.p.A.', state: 'unknown', detail: expect.stringContaining(`The customer with VAT number ${vatNumber} may already exist. Look for it in your provider's records before you send it again`) })]);
		expect((await apply(vatNumber)).title).toBe('We have your application already');
		expect(fixture().sandbox.state().counters.byOperation.addCustomer).toBe(1);
	});

	test.each(NOT_CREATED)('where it is certain that nothing was created ($fault), it asks to try later, and then takes the form', async (rule) => {
		const vatNumber = newVatNumber();
		fault(rule);
		const { title, text } = await apply(vatNumber);
		expect(title).toBe('Please try again later');
		expect(text).toContain('nothing was saved');
		fault();
		expect((await apply(vatNumber)).title).toBe('Welcome');
		expect(created()).toEqual([vatNumber]);
	});
}
