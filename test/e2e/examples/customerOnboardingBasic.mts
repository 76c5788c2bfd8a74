import type { FaultRule } from '../../../sandbox';
import { readExample } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { sendForm } from './n8nForm.mts';

export const ID = 'customer-onboarding-basic';

export const prepare: Prepare = async () => [await readExample(ID)];

const CREATE = '/v1/customers/add';

export function tests(fixture: () => ExamplesFixture): void {
	const apply = async (vatNumber: string) =>
		await sendForm(`${fixture().server.url}/form/${ID}`, { 'Company name': 'Example S.p.A.', 'VAT number': vatNumber, City: 'Milano', 'E-mail': 'office@company.example' });

	test('ends with the number of the customer that it has created', async () => {
		expect(await apply('IT12345678903')).toEqual({ title: 'Welcome', text: 'Your customer number is 1.' });
		expect(fixture().sandbox.state().customers).toEqual([expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.', city: 'Milano', email: 'office@company.example' })]);
	});

	test('asks to correct what is not valid, and sends nothing', async () => {
		const { title, text } = await apply('IT12345678904');
		expect(title).toBe('Please correct your application');
		expect(text).toContain('The check digit of this Italian VAT number is wrong');
		expect(fixture().sandbox.requests()).toEqual([]);
	});

	test('says in the words of the API what is to be corrected', async () => {
		fixture().sandbox.setFaults({ rules: [{ fault: 'http400', path: CREATE, count: 1, message: 'Validation failed', errors: [{ field: 'city', message: 'must not be <empty>' }] }] });
		const { title, text } = await apply('IT12345678903');
		expect(title).toBe('Please correct your application');
		expect(text).toContain('city: must not be &lt;empty&gt;');
	});

	test.each<FaultRule>([
		// As often as it is sent: with a token older than a minute, twice.
		{ fault: 'http403', path: CREATE },
		{ fault: 'http503', path: CREATE, count: 1, retryAfterSeconds: 1 },
	])('where the applicant can correct nothing ($fault), it asks to try later, and tells nothing of the service', async (rule) => {
		fixture().sandbox.setFaults({ rules: [rule] });
		const { title, text } = await apply('IT12345678903');
		expect(title).toBe('Please try again later');
		expect(text).not.toMatch(/key|http|service/i);
		expect(fixture().sandbox.state().customers).toEqual([]);
	});

	test('where it is unknown whether the customer exists, it does not ask to send again', async () => {
		fixture().sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: CREATE, count: 1 }] });
		const { title, text } = await apply('IT12345678903');
		expect(title).toBe('We have your application');
		expect(text).toContain('Please do not send it again.');
		expect(fixture().sandbox.faults().counts.map(({ injected }) => injected)).toEqual([1]);
		expect(fixture().sandbox.state().customers).toHaveLength(1);
	});
}
