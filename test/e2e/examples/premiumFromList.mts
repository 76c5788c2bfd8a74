import type { FaultRule } from '../../../sandbox';
import { outcomeOf } from '../../../scripts/n8n/cli.mts';
import { readExample, withFields, withoutLogin } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';
import { LIST_FILES, workbook } from './listFiles.mts';
import { sendForm } from './n8nForm.mts';

const ID = 'premiumFromList';

/** With the dry run off. */
const CHARGED = 'premiumCharged';

export const IDS = [CHARGED];

const NOT_A_COUNTRY = `'Country' isn't valid: "Italia!". Enter the two letters of each country, separated by commas`;
const NOT_FOUND =
	'The requested DSS resource is not found\nNo trunk has the id 9999.\nRequest: trunk 9999, country DE.';

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
	const charged = (id: string, more: Record<string, unknown> = {}) =>
		withFields({ ...example, id }, 'Settings', { dryRun: false, ...more });
	return [example, charged(CHARGED), charged('premiumTooMuch', { maxChanges: 4 })];
};

export function tests(fixture: () => ExamplesFixture): void {
	/** The countries of each trunk, sorted: the requests of an item are sent side by side and arrive in any order. */
	const premium = () => {
		const enabled = fixture()
			.sandbox.getRecordsAndCounters()
			.trunks.filter(({ premiumCountries }) => premiumCountries.length > 0);
		return Object.fromEntries(
			enabled.map(({ id, premiumCountries }) => [id, premiumCountries.map(({ iso }) => iso).sort()]),
		);
	};

	/** Runs one of them: the report as rows of cells, and what came of it. */
	const run = async (id: string) => {
		const { runData, error } = await fixture().server.run(id, 'When clicking ‘Execute workflow’');
		const report = outcomeOf(runData.Report).json.map(({ row, trunk, country, result, reason }) => [
			row,
			trunk,
			country,
			result,
			reason,
		]);
		return { error, report, file: runData['Report as a file'], sums: runData.Sums };
	};

	/** Of the rows that the example comes with. */
	const reportWhere = (done: string, result: string, reason: string) => [
		[2, '1001', 'IT', done, ''],
		[3, '1004', 'IT', done, ''],
		[3, '1004', 'FR', done, ''],
		[4, '9999', 'DE', result, reason],
		[5, '1005', 'Italia!', 'failed', NOT_A_COUNTRY],
	];

	test('as it comes it enables nothing, and reports what it would enable and which rows are not valid', async () => {
		const { report, sums } = await run(ID);
		expect([report, premium()]).toEqual([reportWhere('would be enabled', 'would be enabled', ''), {}]);
		expect(outcomeOf(sums).json[0]!.text).toContain('publish the workflow again, and submit the list again.\n');
		expect(fixture().sandbox.getRequests()).toEqual([]);
	});

	test('with the dry run off it enables each country, and reports what failed in the words of the API, row by row', async () => {
		const { report, file } = await run(CHARGED);
		expect([report, premium()]).toEqual([
			reportWhere('enabled', 'failed', NOT_FOUND),
			{ 1001: ['IT'], 1004: ['FR', 'IT'] },
		]);
		expect(outcomeOf(file).errors).toEqual([]);
	});

	test('stops before the first change when the rows ask for more than is allowed', async () => {
		const { error, report } = await run('premiumTooMuch');
		const what = 'The 4 rows of the list request more than 4 changes, so nothing was sent.';
		expect(error?.message).toBe(`${what} Remove rows, or raise "maxChanges" in the node "Settings".`);
		expect([report, premium()]).toEqual([[], {}]);
	});

	const upload = async (file: File) => await sendForm(`${fixture().server.url}/form/enable-premium`, { List: file });

	// The other kinds: readAList.
	const kinds = LIST_FILES.filter(({ kind }) => /1252|Excel/.test(kind));

	test.each(kinds)('of a file with $kind enables the good rows, and says what became of each', async ({ of }) => {
		fixture().sandbox.setFaults([NO_PREMIUM, FAILED]);
		const { title, text } = await upload(
			of([
				['Trunk ID', 'Note', 'Paese'],
				[1001, 'à', 'IT'],
				['', '', ''],
				[1004, '', 'IT, FR'],
				[9999, '', 'DE'],
				[1005, '', ''],
				['', '', 'IT'],
				[1005, '', 'ES'],
			]),
		);
		expect(title).toBe('Not everything is enabled');
		expect(text).toMatch(/^Rows read: 6\nEnabled: 1\nEnabled in part: 1\nUnknown: 1\nFailed: 3\n/);
		expect(text).toContain(
			'ask your provider before you submit them again:\nRow 8: trunk 1005, country ES. The service failed',
		);
		expect(text).toContain('submit only them, without the countries that are enabled:\nRow 4');
		for (const line of [
			/^Row 4: trunk 1004, country FR\. This country has no premium\. A sandbox .* country FR\.$/m,
			/^Row 5: trunk 9999, country DE\. The requested DSS resource is not found/m,
			/^Row 6: trunk 1005, country \(none\)\. The country is missing\.$/m,
			/^Row 7: trunk \(none\), country IT\. The trunk is missing\.$/m,
		])
			expect(text).toMatch(line);
		expect(premium()).toEqual({ 1001: ['IT'], 1004: ['IT'], 1005: ['ES'] });
	});

	const list = (header: string, cells: string[]) =>
		new File([`trunk;${[header, ...cells].join('\n1001;')}\n`], 'list.csv');

	test('stops before the first change when a column is missing, and names it', async () => {
		const text = expect.stringContaining(
			'The list has no column for the country. Its headers are: "trunk", "Nota"',
		) as string;
		expect(await upload(list('Nota', ['IT']))).toMatchObject({ title: 'Nothing was sent', text });
		expect(fixture().sandbox.getRequests()).toEqual([]);
	});

	test('sends no row with a trunk and country of one before it, and takes NA for Namibia', async () => {
		const { title, text } = await upload(list('Country', ['FR', 'NA', 'it, fr', 'N/A']));
		expect(title).toBe('Not everything is enabled');
		expect(text).toContain(
			'Row 4: trunk 1001, country it, fr. Row 2 has the same trunk and country. Remove it from one',
		);
		expect(text).toContain('Row 5: trunk 1001, country N/A. The country is "N/A", which isn\'t a value.');
		expect(premium()).toEqual({ 1001: ['FR', 'NA'] });
	});

	test('enables nothing for a number that may be a dialing prefix, or a cell that shows something else, and says which rows are enabled', async () => {
		const { title, text, file } = await upload(list('Codice paese', ['39', '039', '+44', '=IT', 'IT', 'ITA']));
		expect([title, text]).toEqual([
			'Not everything is enabled',
			expect.stringMatching(/^Rows read: 6\nEnabled: 1\nEnabled in part: 0\nUnknown: 0\nFailed: 5\n/),
		]);
		expect(text).toContain(
			'Row 3: trunk 1001, country 039. Enter the two letters of each country, for example IT: "039" may be a dialing prefix.',
		);
		expect(text).toContain(
			'Row 7: trunk 1001, country ITA. Enter the two letters of each country, for example IT, in place of "ITA".',
		);
		expect(text).toContain('Enabled:\nRow 6: trunk 1001, country IT');
		expect(file).toContainEqual([5, '1001', '=IT', 'failed', expect.stringContaining("which isn't a value")]);
		const dates = workbook([
			{
				rows: [
					['Trunk', 'Country'],
					[{ t: 'n', v: 46007, z: 'd-mmm' }, 'IT'],
					[1001, 'FR'],
				],
			},
		]);
		expect((await upload(new File([dates], 'list.xlsx'))).text).toContain(
			'Row 2: trunk 46007, country IT. Cell A2 (trunk) is a number that is shown in another way',
		);
		expect(premium()).toEqual({ 1001: ['FR', 'IT'] });
	});

	test('enables nothing for a row that is hidden, and says so', async () => {
		const rows = [
			['Trunk', 'Country'],
			[1001, 'IT'],
			[1004, 'FR'],
		];
		const { text } = await upload(new File([workbook([{ rows, hidden: { rows: [2] } }])], 'list.xlsx'));
		expect(text).toContain('Row 3: trunk 1004, country FR. The row is hidden, for example by a filter.');
		expect(premium()).toEqual({ 1001: ['IT'] });
	});
}
