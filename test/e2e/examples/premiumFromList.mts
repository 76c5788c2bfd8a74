import type { FaultRule } from '../../../sandbox';
import { readExample, withFields, withNode, withoutLogin } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { LIST_FILES, workbook } from './listFiles.mts';
import { type Answers, sendForm } from './n8nForm.mts';

const ID = 'premiumFromList';

/** With an organization, and as many changes as a page shows in full. */
const MORE = 'premiumMore';

export const IDS = [ID, MORE];

const YES = { 'Enable them?': 'Yes, I have checked them' };
const NO = { 'Enable them?': 'No, enable nothing' };

const NO_PREMIUM: FaultRule = {
	fault: 'http',
	status: 400,
	message: 'This country has no premium',
	bodyContains: '"FR"',
};
/** Once: a request that is sent again would be enabled. */
const FAILED: FaultRule = { fault: 'http', status: 504, processed: true, bodyContains: '"ES"', count: 1 };

export const prepare: Prepare = async () => {
	const example = withoutLogin(readExample('premium-from-list'));
	const more = withNode(withoutLogin(example, MORE), 'Columns', ({ parameters }) => {
		const { assignments } = parameters.assignments as { assignments: object[] };
		assignments.push({ id: 'org', name: 'organizationId', value: 'Org', type: 'string' });
	});
	const withOrganization = ['Check without sending', 'Enable premium'].reduce(
		(workflow, name) =>
			withNode(workflow, name, ({ parameters }) => {
				parameters.additionalFields = { organizationId: '={{ $json.organizationId }}' };
			}),
		withFields(more, 'Settings', { maxChanges: 200 }),
	);
	return [example, withOrganization];
};

export function tests(fixture: () => ExamplesFixture): void {
	/** The countries of each trunk, in the order in which they were enabled: one after the other. */
	const premium = () => {
		const enabled = fixture()
			.sandbox.getRecordsAndCounters()
			.trunks.filter(({ premiumCountries }) => premiumCountries.length > 0);
		return Object.fromEntries(enabled.map(({ id, premiumCountries }) => [id, premiumCountries.map(({ iso }) => iso)]));
	};
	const changes = () =>
		fixture()
			.sandbox.getRequests()
			.filter(({ method }) => method === 'PUT').length;

	const upload = async (List: File, ...next: Answers[]) =>
		await sendForm(`${fixture().server.url}/form/enable-premium`, { List }, ...next);

	// The other kinds: readAList.
	const kinds = LIST_FILES.filter(({ kind }) => /1252|Excel/.test(kind));

	test.each(kinds)(
		'of a file with $kind says what it would enable, and sends just that after a Yes',
		async ({ of }) => {
			const file = of([
				['Trunk ID', 'Note', 'Paese'],
				[1001, 'à', 'IT'],
				['', '', ''],
				[1004, '', 'it, FR'],
				[9999, '', 'DE'],
				[1005, '', ''],
				['', '', 'IT'],
				[1005, '', 'ES'],
				[1006, '', '<Italia'],
			]);
			const columns =
				'Trunk: from the column "Trunk ID". Countries: from the column "Paese". Columns that are not used: "Note".';
			const refused = [
				'Row 6: trunk 1005, country (none). The country is missing.',
				'Row 7: trunk (none), country IT. The trunk is missing.',
				`Row 9: trunk 1006, country &lt;Italia. 'Country' isn't valid: "&lt;Italia". Enter the two letters of each country, separated by commas`,
			].join('\n');
			const no = await upload(file, NO);
			expect(no).toMatchObject({ title: 'Nothing was enabled', text: expect.stringMatching(/^You answered No/) });
			const shown = [
				`Rows read: 7\n${columns}\nRefused: 3 rows\nWould be enabled: 5 countries\n`,
				`Refused: not sent. To send these rows too, answer No, correct them, and submit the list again:\n${refused}`,
				'Would be enabled. Not checked: whether trunks exist, or are enabled (may be billed again):',
				'Row 2: trunk 1001, country IT\nRow 4: trunk 1004, country IT\nRow 4: trunk 1004, country FR\nRow 5: trunk 9999, country DE\nRow 8: trunk 1005, country ES',
			];
			for (const text of shown) expect(no.between[0]).toContain(text);
			expect(fixture().sandbox.getRequests()).toEqual([]);
			fixture().sandbox.setFaults([NO_PREMIUM, FAILED]);
			const { title, text, file: report } = await upload(file, YES);
			expect([title, changes(), premium()]).toEqual([
				...['Not everything is enabled', 5],
				{ 1001: ['IT'], 1004: ['IT'], 1005: ['ES'] },
			]);
			expect(text).toContain(
				`Rows read: 7\n${columns}\nUnknown: 1 country\nFailed: 2 countries\nRefused: 3 rows\nEnabled: 2 countries\n`,
			);
			expect(text).toContain(
				'ask your provider before you submit them again:\nRow 8: trunk 1005, country ES. The service failed',
			);
			expect(text).toContain('submit only them, without the countries that are enabled:\nRow 4');
			for (const line of [
				/^Row 4: trunk 1004, country FR\. This country has no premium\. A sandbox .* country FR\.$/m,
				/^Row 5: trunk 9999, country DE\. The requested DSS resource is not found\. No trunk has the id 9999/m,
			])
				expect(text).toMatch(line);
			expect(text).toContain(refused);
			expect(text).toContain('Enabled:\nRow 2: trunk 1001, country IT\nRow 4: trunk 1004, country IT');
			expect(report).toContainEqual([6, '1005', '', 'refused', 'The country is missing.']);
		},
	);

	const list = (header: string, cells: string[], trunk = '1001') =>
		new File([`trunk;${[header, ...cells].join(`\n${trunk};`)}\n`], 'list.csv');

	test('stops before the first change when a column is missing, or the rows ask for more than is allowed', async () => {
		for (const [file, text] of [
			[list('Nota', ['IT']), 'The list has no column for the country. Its headers are: "trunk", "Nota"'],
			[list('ISO', Array<string>(11).fill('IT, FR')), 'The 11 rows of the list request more than 20 changes. Remove'],
		] as const)
			expect(await upload(file)).toMatchObject({ title: 'Nothing was sent', text: expect.stringContaining(text) });
		expect(fixture().sandbox.getRequests()).toEqual([]);
	});

	test('sends no row with a trunk and country of one before it that is sent, and takes NA for Namibia', async () => {
		const { title, text } = await upload(list('Country', ['DE, Italia', 'FR', 'NA', 'it, fr', 'N/A', 'DE']), YES);
		expect(title).toBe('Not everything is enabled');
		expect(text).toContain(
			'Row 5: trunk 1001, country it, fr. Row 3 has the same trunk and country. Remove it from this row',
		);
		expect(text).toContain('Row 6: trunk 1001, country N/A. The country is "N/A", which isn\'t a value.');
		expect(premium()).toEqual({ 1001: ['FR', 'NA', 'DE'] });
		const ids = new File(['trunk;country\nA-1;IT\nB-1;IT\n'], 'list.csv');
		const none = await upload(ids);
		expect([none.title, none.text]).toEqual([
			'Nothing was sent',
			expect.stringMatching(/Row 3: trunk B-1, .* isn't valid/),
		]);
		expect(none.text).not.toContain('same trunk');
	});

	test('shows all that would be enabled, with its organization, and no more than 50 lines of another kind', async () => {
		const rows = Array.from({ length: 51 }, (_, index) => `${2001 + index};10;IT\n;10;IT\n`).join('');
		const List = new File([`Trunk;Org;Country\n${rows}1001;10;FR\n`], 'list.csv');
		const { between, text } = await sendForm(`${fixture().server.url}/form/${MORE}`, { List }, YES);
		expect(between[0]).toMatch(/Row 101: .*missing\.\n… and 1 more\n/);
		expect(between[0]!.match(/^Row \d+: trunk \d+, country .., organizationId 10$/gm)).toHaveLength(52);
		expect(text).toMatch(/\n… and 1 more: see the file\n/);
		expect(premium()).toEqual({ 1001: ['FR'] });
	});

	test('enables nothing for a number that may be a dialing prefix, or a cell that shows something else, and says which rows are enabled', async () => {
		const { title, text, file } = await upload(list('Codice paese', ['39', '039', '+44', '=IT', 'IT', 'ITA']), YES);
		expect([title, text]).toEqual([
			'Not everything is enabled',
			expect.stringMatching(/^Rows read: 6\nTrunk: .*\nRefused: 5 rows\nEnabled: 1 country\n/),
		]);
		expect(text).toContain(
			'Row 3: trunk 1001, country 039. Enter the two letters of each country, for example IT: "039" may be a dialing prefix.',
		);
		expect(text).toContain(
			'Row 7: trunk 1001, country ITA. Enter the two letters of each country, for example IT, in place of "ITA".',
		);
		expect(text).toContain('Enabled:\nRow 6: trunk 1001, country IT');
		expect(file).toContainEqual([5, '1001', '=IT', 'refused', expect.stringContaining("which isn't a value")]);
	});

	test('enables nothing for what is hidden or shown in another way, and says so', async () => {
		const rows = [
			['Trunk', 'Country'],
			[1001, 'IT'],
			[1004, 'FR'],
			[{ t: 'n' as const, v: 46007, z: 'd-mmm' }, 'IT'],
		];
		const of = (hidden: object) => new File([workbook([{ rows, hidden }])], 'list.xlsx');
		const { text, title } = await upload(of({ columns: [1] }));
		expect([title, text.match(/The column "Country" is hidden\. Show it/g)]).toMatchObject([
			'Nothing was sent',
			{ length: 3 },
		]);
		const { between } = await upload(of({ rows: [2] }), YES);
		expect(between[0]).toContain('Row 3: trunk 1004, country FR. The row is hidden, for example by a filter.');
		expect(between[0]).toContain(
			'Row 4: trunk 46007, country IT. Cell A4 (trunk) is a number that is shown in another way',
		);
		expect(premium()).toEqual({ 1001: ['IT'] });
	});
}
