import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { ROOT } from '../scripts/run';
import { textOf } from './documents';

const linesOf = (command: string, args: string[]) =>
	execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 50_000_000 }).trim().split('\n');

/** Programs that are tracked by git and are there. */
const programs = linesOf('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mts', '*.js', '*.mjs', '*.cjs']);

test('every TypeScript and JavaScript file is type-checked', () => {
	const { typecheck } = (JSON.parse(textOf('package.json')) as { scripts: { typecheck: string } }).scripts;
	const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
	const checked = typecheck.split(' && ')
		.flatMap((command) => linesOf(process.execPath, [tsc, '--listFilesOnly', ...command.split(' ').slice(1)]));
	const known = new Set(checked.map((file) => path.relative(ROOT, file)));
	expect(programs.length).toBeGreaterThan(200);
	expect(programs.filter((file) => !known.has(file))).toEqual([]);
}, 300_000);

test('every TypeScript and JavaScript file is linted', () => {
	const ignored = `
		import { ESLint } from 'eslint';
		const eslint = new ESLint();
		for (const file of process.argv.slice(1)) if (await eslint.isPathIgnored(file)) console.log(file);
	`;
	expect(linesOf(process.execPath, ['--input-type=module', '--eval', ignored, 'sandbox/none.ts', 'dist/index.js',
		...programs])).toEqual(['dist/index.js']);
}, 300_000);
