import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { inTemporaryFolder, ROOT, run } from '../scripts/run';

const LEFT_OUT = new Set(['.git', '.cache', '.demo', 'node_modules', 'dist']);

/** A copy of the repository. The packages are links to the files: a copy of its own, in seconds. */
async function copyTo(folder: string): Promise<void> {
	for (const name of (await readdir(ROOT)).filter((entry) => !LEFT_OUT.has(entry) && !entry.endsWith('.tgz'))) {
		await cp(path.join(ROOT, name), path.join(folder, name), {
			recursive: true,
			filter: (source) => !source.includes('node_modules'),
		});
	}
	const { code, output } = await run('cp', ['-al', path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules')]);
	if (code !== 0) throw new Error(output);
	await mkdir(path.join(folder, '.cache'), { recursive: true });
	// The tests of the documents ask git which files there are.
	await run('git', ['init', '--quiet', folder]);
}

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
		await copyTo(folder);
		const command = async (...args: string[]) =>
			await run(
				process.execPath,
				['scripts/run.mjs', ...args],
				{ NODE_ENV: undefined, VOICE_ADMIN_TEST_FULL: undefined },
				folder,
			);
		const npm = async (script: string) => await run('npm', ['run', script], {}, folder);
		const ids = ['getTrunk', 'listInvoices', 'createInvoice', 'deleteInvoice'];
		const written = await command('operation', path.join(__dirname, 'provider.yaml'), ...ids);
		expect(written.output).toMatch(
			/invoice\/create\.ts:\n {2}- notice: .*\n {2}- creates: .*The document: "Create an invoice"/,
		);
		const undecided = await npm('lint');
		expect([undecided.code, undecided.output.match(/Decide what it asks/g)?.length]).toEqual([1, 6]);
		for (const name of ['create', 'delete']) {
			const file = path.join(folder, 'nodes/VoiceAdmin/operations/invoice', `${name}.ts`);
			await writeFile(file, (await readFile(file, 'utf8')).replaceAll('TODO: ', ''));
		}
		for (const script of ['format', 'docs', ...CHECKS])
			expect({ script, ...(await npm(script)) }).toMatchObject({ script, code: 0 });
		const tests = await command('test', ...TESTS.map((name) => `test/${name}`));
		expect(tests.output).toMatch(/jest: \d+ passed, 0 failed/);
		const reference = await readFile(path.join(folder, 'docs', 'operations.md'), 'utf8');
		const headings = ['## Invoice: Create', '## Invoice: Delete', '## Invoice: Get Many', '## VoIP DSS Trunk: Get'];
		expect(reference.match(/^## (?:VoIP DSS Trunk: Get|Invoice: .*)$/gm)).toEqual(headings);
	});
});
