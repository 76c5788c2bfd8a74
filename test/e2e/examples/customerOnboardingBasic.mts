import { readExample } from '../../support/example.mts';
import type { Desk, Prepare } from '../../support/inExamples.mts';
import { sendForm } from '../../support/n8nForm.mts';

export const ID = 'customer-onboarding-basic';

export const prepare: Prepare = async () => [await readExample(ID)];

const CREATE = '/v1/customers/add';

export function tests(desk: () => Desk): void {
	const apply = async (vatNumber: string) =>
		await sendForm(`${desk().server.url}/form/${ID}`, { 'Company name': 'Example S.p.A.', 'VAT number': vatNumber, City: 'Milano', 'E-mail': 'office@company.example' });

	test('ends with the number of the customer that it has created', async () => {
		expect(await apply('IT12345678903')).toEqual({ title: 'Welcome', text: 'Your customer number is 1.' });
		expect(desk().sandbox.state().customers).toEqual([expect.objectContaining({ vatNumber: 'IT12345678903', name: 'Example S.p.A.', city: 'Milano', email: 'office@company.example' })]);
	});

	test('asks to correct what is not valid, and sends nothing', async () => {
		const { title, text } = await apply('IT12345678904');
		expect(title).toBe('Please correct your application');
		expect(text).toContain('The check digit of this Italian VAT number is wrong');
		expect(desk().sandbox.requests()).toEqual([]);
	});

	test('where it is unknown whether the customer exists, it does not ask to send again', async () => {
		desk().sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: CREATE, count: 1 }] });
		const { title, text } = await apply('IT12345678903');
		expect(title).toBe('We have your application');
		expect(text).toContain('Please do not send it again.');
		expect(desk().sandbox.faults().counts.map(({ injected }) => injected)).toEqual([1]);
		expect(desk().sandbox.state().customers).toHaveLength(1);
	});
}
