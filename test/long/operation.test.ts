import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
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

test('operations from a document compile, pass lint and gate, and work against the sandbox', async () => {
	await inTemporaryFolder(async (folder) => {
		await copyTo(folder);
		const operation = async (...args: string[]) => {
			const command = ['scripts/run.mjs', 'operation', path.join(__dirname, 'provider.yaml'), ...args];
			return await run(process.execPath, command, { NODE_ENV: undefined, VOICE_ADMIN_TEST_FULL: undefined }, folder);
		};
		// The checks take a minute: once for all.
		for (const id of ['getTrunk', 'listInvoices', 'createInvoice']) {
			const { code, output } = await operation(id, '--no-check');
			if (code !== 0) throw new Error(output);
		}
		const { code, output } = await operation('deleteInvoice');
		const checks = ['types', 'format', 'lint', 'gate for verified nodes', 'spelling and words', 'OpenAPI document'].map(
			(title) => `  ✓ ${title}`,
		);
		const ended = output.slice(output.indexOf('\nSummary')).match(/^ {2}[✓✗] .*$/gm);
		if (code !== 0) throw new Error(output);
		expect(ended).toEqual([...checks, expect.stringMatching(/✓ jest: \d+ passed, 0 failed/), '  ✓ docs/operations.md']);
		expect(output).toMatch(
			/^Files: .*operations\/invoice\/delete\.ts, .*paths\/invoice\.yaml and docs\/operations\.md$/m,
		);
		const reference = await readFile(path.join(folder, 'docs', 'operations.md'), 'utf8');
		const headings = ['## Invoice: Create', '## Invoice: Delete', '## Invoice: Get Many', '## VoIP DSS Trunk: Get'];
		expect(reference.match(/^## (?:VoIP DSS Trunk: Get|Invoice: .*)$/gm)).toEqual(headings);
	});
});
