import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { inTemporaryFolder, ROOT, run } from '../scripts/run';
import { blocksOf, headingsOf } from '../package/documents';

const LEFT_OUT = new Set(['.git', '.cache', '.demo', 'node_modules', 'dist', 'runtimes', 'bench', 'docs']);

interface FileOfTheExample {
	/** From the root of the repository. */
	path: string;
	text: string;
	/** The line above which the text goes, in a file that is there already; the text is the whole file otherwise. */
	above?: string;
}

/** The files of the worked example: a heading with a number and the file's path in it, and the code below. */
async function example(): Promise<FileOfTheExample[]> {
	const markdown = await readFile(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
	return headingsOf(markdown).flatMap(({ raw, body }) => {
		const [, file, above] = /^#### \d\. `([^`]+)`(?:, above `([^`]+)`)?$/.exec(raw) ?? [];
		const [block] = blocksOf(body);
		return file && block ? [{ path: file, text: block.text, above }] : [];
	});
}

/** A copy of the repository in which the example was followed. */
async function follow(folder: string): Promise<void> {
	const copied = (await readdir(ROOT)).filter((entry) => !LEFT_OUT.has(entry) && !entry.endsWith('.tgz'));
	for (const name of copied) await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
	await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
	for (const { path: file, text, above } of await example()) {
		const target = path.join(folder, file);
		await mkdir(path.dirname(target), { recursive: true });
		if (above === undefined) {
			await writeFile(target, `${text}\n`);
			continue;
		}
		const present = await readFile(target, 'utf8');
		expect(present.split(`\n${above}\n`)).toHaveLength(2);
		await writeFile(target, present.replace(`\n${above}\n`, `\n${text.trimEnd()}\n\n${above}\n`));
	}
}

describe('the operation that CONTRIBUTING adds as an example', () => {
	test('takes four files, three of them of the package', async () => {
		const files = (await example()).map((file) => file.path);
		expect(files).toHaveLength(4);
		expect(files.filter((file) => file.startsWith('nodes/'))).toHaveLength(3);
	});

	test('leaves in the list of operations what was there', async () => {
		for (const { path: file, text, above } of await example()) {
			if (above !== undefined) continue;
			const present = await readFile(path.join(ROOT, file), 'utf8').catch(() => '');
			const lines = text.split('\n');
			const kept = present.split('\n').map((line) => (lines.includes(line) ? line : line.replace('operations: [', 'operations: [getTrunk, ')));
			expect(lines).toEqual(expect.arrayContaining(kept.filter((line) => line !== '')));
		}
	});

	test('compiles, passes lint and the rules of the gate, and works in the executor against the sandbox', async () => {
		await inTemporaryFolder(async (folder) => {
			await follow(folder);
			const tools = (tool: string) => path.join(ROOT, 'node_modules', '.bin', tool);
			const env = { NODE_ENV: undefined };
			const succeed = async (command: string, args: string[]) => {
				const { code, output } = await run(command, args, env, folder);
				if (code !== 0) throw new Error(output);
				return output;
			};
			await succeed(tools('tsc'), []);
			await succeed(tools('eslint'), ['nodes', 'sandbox', 'package.json']);
			await succeed(tools('redocly'), ['lint', 'sandbox/openapi.yaml']);
			const tests = ['executor/operations', 'sandbox/everyStatus', 'sandbox/document', 'unit/description'];
			const output = await succeed(tools('jest'), ['--verbose', ...tests.map((file) => `test/${file}`)]);
			expect(output).toContain('dssTrunk: get');
			await cp(path.join(ROOT, 'docs', 'operations.md'), path.join(folder, 'docs', 'operations.md'));
			await succeed(process.execPath, ['scripts/run.mjs', 'docs']);
			expect(await readFile(path.join(folder, 'docs', 'operations.md'), 'utf8')).toContain('\n## VoIP DSS Trunk: Get\n');
		});
	});
});
