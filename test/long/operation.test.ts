import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inTemporaryFolder, ROOT, run } from '../scripts/run';

/** A copy of the repository. The packages are links to the files: a copy of its own, in seconds. */
const COPY = `git ls-files -zco --exclude-standard | xargs -0 cp --parents -t "$0" && cp -al node_modules "$0" &&
	mkdir "$0/.cache" && git init --quiet "$0"`;
const CHECKS = ['typecheck', 'format:check', 'lint', 'gate', 'lint:prose', 'lint:openapi'];
const TESTS = [
	'unit/contract',
	'unit/description',
	'executor/operations',
	'executor/dryRun',
	'sandbox/operations',
	'package',
];

test('a written operation fails lint until its markers are decided, and then passes all checks', async () => {
	await inTemporaryFolder(async (folder) => {
		expect(await run('sh', ['-c', COPY, folder], {}, ROOT)).toMatchObject({ code: 0 });
		// As outside Jest: with its NODE_ENV, n8n's lint rules report what they don't otherwise.
		const env = { NODE_ENV: undefined, VOICE_ADMIN_TEST_FULL: undefined };
		const command = async (...args: string[]) => await run(process.execPath, ['scripts/run.mjs', ...args], env, folder);
		const npm = async (script: string) => await run('npm', ['run', script], env, folder);
		const ids = ['getTrunk', 'listInvoices', 'createInvoice', 'deleteInvoice'];
		const written = await command('operation', path.join(__dirname, 'provider.yaml'), ...ids);
		expect(written.output).toMatch(
			/invoice\/create\.ts:\n {2}- notice: .*\n {2}- creates: .*The document: "Create an invoice"/,
		);
		const undecided = await npm('lint');
		expect([undecided.code, undecided.output.match(/Decide what it asks/g)?.length]).toEqual([1, 7]);
		for (const name of ['create', 'delete']) {
			const file = path.join(folder, 'nodes/VoiceAdmin/operations/invoice', `${name}.ts`);
			const decided = (await readFile(file, 'utf8')).replace(/TODO: a value.*(?=')/, '{"customer":"Example"}');
			await writeFile(file, decided.replaceAll('TODO: ', ''));
		}
		for (const script of ['format', 'docs', ...CHECKS])
			expect({ script, ...(await npm(script)) }).toEqual({ script, code: 0, output: expect.any(String) });
		const tests = await command('test', ...TESTS.map((name) => `test/${name}`));
		expect(tests.output).toMatch(/jest: \d+ passed, 0 failed/);
		const reference = await readFile(path.join(folder, 'docs', 'operations.md'), 'utf8');
		const headings = ['## Invoice: Create', '## Invoice: Delete', '## Invoice: Get Many', '## VoIP DSS Trunk: Get'];
		expect(reference.match(/^## (?:VoIP DSS Trunk: Get|Invoice: .*)$/gm)).toEqual(headings);
	});
});
