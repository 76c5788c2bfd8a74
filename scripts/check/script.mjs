import { stripVTControlCharacters } from 'node:util';
import { runEnvironment } from '../setup/environment.mjs';
import { npm } from '../setup/npm.mjs';
import { ROOT } from '../setup/paths.mjs';
import { step } from '../setup/progress.mjs';

/**
 * Runs one of the package's scripts as a check; its output is shown when it fails.
 * @param {string} title
 * @param {string} script its name in package.json
 * @returns {Promise<{ passed: boolean }>}
 */
export async function runScript(title, script) {
	const log = `check-${script.replace(':', '-')}`;
	const result = await step(
		`Checking: ${title}`,
		(report) => npm(['run', '--silent', script], { log, cwd: ROOT, env: runEnvironment(), report }),
		({ code }) => code === 0,
	);
	const passed = result.code === 0;
	if (!passed) console.log(`\n${stripVTControlCharacters(result.output).trim()}\n`);
	return { passed };
}
