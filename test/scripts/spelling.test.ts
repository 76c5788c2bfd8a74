import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import { evaluate, inTemporaryFolder, ROOT, runNode } from './run';

type Config = { overrides: Array<{ filename: string | string[]; ignoreWords?: string[] }> };

const FILE = path.join(ROOT, 'cspell.config.yaml');
const withWords = async (config: string, ...words: string[]) =>
	(await evaluate(
		'commands/spelling.mts',
		`module.withWords(${JSON.stringify(config)}, ${JSON.stringify(words)})`,
	)) as string;

describe('the words of a generated operation', () => {
	it('are ignored in its files, the next ones too, whatever the file ends with', async () => {
		const before = `${readFileSync(FILE, 'utf8')}caseSensitive: false\n`;
		const after = await withWords(await withWords(before, 'gamma', 'beta'), 'alpha');
		const [entry, ...others] = (parse(after) as Config).overrides;
		expect(entry?.ignoreWords).toEqual(['alpha', 'gamma', 'beta']);
		expect({ ...(parse(after) as Config), overrides: others }).toEqual(parse(before));
		await inTemporaryFolder(async (folder) => {
			const file = path.join(folder, 'cspell.config.yaml');
			writeFileSync(file, after);
			const args = ['node_modules/prettier/bin/prettier.cjs', '--ignore-path', '/dev/null', '--check', file];
			expect((await runNode(args)).code).toBe(0);
		});
	});
});
