import { readExample, withNode, withoutLogin, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { callsOf, LOST_REPLY, numbers } from './createCustomersOnce.mts';
import { sendForm } from './n8nForm.mts';

const ID = 'settleOpenCustomers';
/** A row at "sending" can be settled at once. */
const WITHOUT_WAIT = 'settleWithoutWait';

export const IDS = [ID, WITHOUT_WAIT];

export const prepare: Prepare = async ({ people }) => {
	const open = withPostInPlaceOf(readExample('settle-open-customers'), 'Tell your staff', people.url);
	const withoutWait = withNode(open, 'Open customers', ({ parameters }) => {
		parameters.jsCode = String(parameters.jsCode).replace('MINUTES = 15', 'MINUTES = 0');
	});
	return [withoutLogin(open, ID), withoutLogin(withoutWait, WITHOUT_WAIT)];
};

export function tests(fixture: () => ExamplesFixture): void {
	const { created, inject, sendAndStop, sendNumbers } = callsOf(fixture);
	const labelOf = (text: string, key: string) =>
		text
			.split('\n')
			.map((line) => line.trim())
			.find((line) => line.startsWith(`${key} `))!;
	const form = (id: string) => `${fixture().server.url}/form/${id}`;

	/** Settles by the first letters of labels, which the form shows. */
	const settle = async (
		id: string,
		answers: Record<string, string>,
		labels: (key: string) => string,
		others = 'Leave it open',
	) => {
		const given = Object.fromEntries(Object.entries(answers).map(([key, answer]) => [labels(key), answer]));
		return await sendForm(form(id), { 'Your name': 'Somebody' }, { ...given, 'All without an answer': others });
	};

	test('does as a person decides about customers whose outcome is unknown, and tells the staff of them', async () => {
		const list = numbers(4);
		const [exists, absent, left, done] = list as [string, string, string, string];
		inject(
			{ ...LOST_REPLY, bodyContains: exists },
			{ ...LOST_REPLY, bodyContains: absent },
			{ ...LOST_REPLY, bodyContains: left },
		);
		expect(await sendNumbers(list)).toEqual(['open', 'open', 'open', 'created']);

		await fixture().server.run(ID, 'Every hour');
		const told = fixture().people.taken();
		expect(told.map(({ key }) => key).sort()).toEqual([exists, absent, left]);
		expect(told[0]).toMatchObject({
			name: expect.stringContaining('Company') as string,
			fields: '{}',
			status: 'unknown',
		});
		const { execution } = told[0]!;
		const labels = (key: string) => `${key} Company ${key} (execution ${String(execution)})`;

		const page = await settle(ID, { [exists]: 'It exists', [absent]: "It doesn't exist" }, labels);
		expect(page.title).toBe('Settled');
		expect(page.text).toContain(`${exists} Company ${exists}: it exists, and is never sent again`);
		expect(page.text).toContain(`${absent} Company ${absent}: it doesn't exist, and is sent when`);
		expect(page.text).not.toContain(left);
		expect(page.between[0]).not.toContain(done);
		expect(labelOf(page.between[0]!, left)).toBe(labels(left));

		expect(await sendNumbers(list)).toEqual(['existed', 'created', 'open', 'existed']);
		expect((await settle(ID, {}, labels)).title).toBe('Nothing was settled');
		expect((await settle(ID, {}, labels, 'It exists')).text).toContain(`${left} Company ${left}: it exists`);
		expect(await sendForm(form(ID), { 'Your name': 'Somebody' })).toMatchObject({
			title: 'Nothing to settle',
			text: 'No customer is open.',
		});
	});

	test('believes whoever has found a customer, also after somebody who has not', async () => {
		const key = numbers(1)[0]!;
		inject({ ...LOST_REPLY, bodyContains: key });
		await sendNumbers([key]);
		const label = labelOf((await settle(ID, {}, String)).between[0]!, key);
		const meanwhile = async () => {
			await settle(ID, { [label]: "It doesn't exist" }, String);
			return { 'All without an answer': 'It exists' };
		};
		expect((await sendForm(form(ID), { 'Your name': 'Somebody' }, meanwhile)).title).toBe('Settled');
		expect(await sendNumbers([key])).toEqual(['existed']);
	});

	test('says how many minutes are left for a customer that an execution was just sending, and settles it afterwards', async () => {
		const list = numbers(3);
		await sendAndStop(list, 3);
		const page = await sendForm(form(ID), { 'Your name': 'Somebody' });
		expect(page.title).toBe('Nothing to settle');
		for (const key of list)
			expect(page.text).toMatch(
				new RegExp(
					`^${key} Company ${key} \\(execution \\d+\\): may still be in progress, try again in 15 minutes$`,
					'm',
				),
			);
		await fixture().server.run(ID, 'Every hour');
		expect(fixture().people.taken()).toEqual([]);

		await fixture().server.run(WITHOUT_WAIT, 'Every hour');
		expect(
			fixture()
				.people.taken()
				.map(({ key, status }) => [key, status]),
		).toEqual(list.map((key) => [key, 'sending']));
		expect((await settle(WITHOUT_WAIT, {}, String, "It doesn't exist")).title).toBe('Settled');
		await sendNumbers(list);
		expect(created()).toEqual([...list, ...list].sort());
	});
}
