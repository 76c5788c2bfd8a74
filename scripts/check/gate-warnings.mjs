import { ESLint } from 'eslint';

/**
 * The scanner's warnings, which it keeps to itself as long as there is no error, and how many files it linted.
 * @param {string} folder
 * @param {string[]} patterns
 * @param {object[]} config of the scanner
 */
export async function warningsOf(folder, patterns, config) {
	const eslint = new ESLint({ cwd: folder, allowInlineConfig: false, overrideConfigFile: true, overrideConfig: config, errorOnUnmatchedPattern: false });
	const results = await eslint.lintFiles(patterns);
	const formatter = await eslint.loadFormatter('stylish');
	return { files: results.length, text: await formatter.format(results) };
}
