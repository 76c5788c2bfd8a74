import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { startLogged } from '../bootstrap/processes.mjs';

export const SPELLING = 'cspell.config.yaml';

/** The beginning of the entry for the provider's words; it need not be there yet. */
const ENTRY = `  # of the provider's OpenAPI document
  - filename: '{nodes/VoiceAdmin/{operations,__schema__}/**,sandbox/paths/*.yaml,sandbox/openapi.yaml,docs/operations.md}'
    ignoreWords:
`;
const LIST = 'overrides:\n';

/** Lets the spell check ignore the words in these files that it doesn't know: most are names of the provider's. @returns the words */
export async function addWords(files: string[]): Promise<string[]> {
	const args = ['--no-progress', '--no-summary', '--words-only', '--unique', ...files];
	const { output } = await startLogged(process.execPath, [path.join(ROOT, 'node_modules/cspell/bin.mjs'), ...args], {
		log: 'cspell',
		cwd: ROOT,
		env: runEnvironment(),
	}).ended;
	const words = [...new Set(output.split('\n').filter((word) => /^[\p{L}\p{M}'’]+$/u.test(word)))];
	if (words.length === 0) return words;
	words.sort((a, b) => a.localeCompare(b));
	const file = path.join(ROOT, SPELLING);
	await writeFile(file, withWords(await readFile(file, 'utf8'), words));
	return words;
}

/** Adds words to the entry, or the entry as the first of its list: what else the file has, and where, doesn't matter. */
export function withWords(config: string, words: string[]): string {
	const lines = words.map((word) => `      - ${word}\n`).join('');
	if (config.includes(ENTRY)) return config.replace(ENTRY, () => ENTRY + lines);
	if (!config.includes(LIST)) throw new Error(`${SPELLING} has no list of ${LIST}`);
	return config.replace(LIST, () => LIST + ENTRY + lines);
}
