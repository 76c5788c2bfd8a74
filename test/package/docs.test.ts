import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { startSandbox } from '../../sandbox';
import { ROOT, run } from '../scripts/run';
import { hashOfShown, TAKEN } from '../support/shownInPictures';
import { DOCUMENTS, targetsOf, textOf } from './documents';
import { brokenTargets, commandProblems, commandsOf, helpOf, missingPaths, OWN_SCRIPTS, unknownLooseOptions,
	unknownVariables } from './documentProblems';

// Commands that take seconds and change nothing are run here: curl on a sandbox, searches, every --help. The others
// (npm start, npm test, the end-to-end tests, the bench, installs) are only looked up: .ci/run runs them.

/** What is checked, and what is wrong with a document. */
const CHECKS: Array<[string, (markdown: string, file: string) => string[]]> = [
	['links and shows only what is there', brokenTargets],
	['names only paths that are there', missingPaths],
	['names only commands that are there, with options that they know', (markdown) => commandsOf(markdown).flatMap(commandProblems)],
	['names only options that something has', unknownLooseOptions],
	['names only environment variables that some code knows', unknownVariables],
];

describe.each(DOCUMENTS)('%s', (file) => {
	const markdown = textOf(file);

	test.each(CHECKS)('%s', (_, problemsOf) => {
		expect(problemsOf(markdown, file)).toEqual([]);
	}, 300_000);

	const commands = commandsOf(markdown).filter((command) => /^(curl|git grep) /.test(command));
	if (commands.length > 0) {
		test('has requests that the sandbox takes, and searches that git understands', async () => {
			const sandbox = await startSandbox();
			for (const command of commands) {
				const here = command.replace(/^curl /, '$&--fail-with-body --silent --show-error ').replaceAll('http://127.0.0.1:3456', sandbox.url);
				if (command.startsWith('curl ')) expect(here).toContain(sandbox.url);
				const { code, output } = await run('sh', ['-c', here]);
				// git's 1: nothing was found, as when the owner has replaced every placeholder.
				const isRight = code === 0 || (code === 1 && command.startsWith('git '));
				expect(`${command}: ${isRight ? 'right' : output}`).toBe(`${command}: right`);
			}
			await sandbox.close();
		});
	}
});

test.each(['README.md', 'docs/it/README.md'])('%s has every version of n8n that is tested in its table', (file) => {
	const { dependencies } = JSON.parse(textOf('runtimes/n8n-core/package.json')) as { dependencies: object };
	const tested = [...readdirSync('runtimes'), ...Object.keys(dependencies)].filter((name) => /^n8n-\d/.test(name))
		.map((name) => name.replace('n8n-', ''));
	const [, ...rows] = textOf(file).match(/^\| n8n \|.*\n(?:\|.*\n)+/m)![0].trim().split('\n');
	const named = rows.flatMap((row) => row.match(/\d+\.\d+\.\d+/g) ?? []);
	expect(named.sort()).toEqual([...new Set(tested)].sort());
});

test.each(OWN_SCRIPTS)('npm run %s -- --help explains it, and does nothing else', (script) => {
	expect(helpOf(script)).toContain(script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`);
	expect(helpOf(script)).not.toContain('✓');
}, 300_000);

describe('the pictures', () => {
	const IMAGES = path.join(ROOT, 'docs', 'images');
	const images = readdirSync(IMAGES);

	test('are all shown by a document', () => {
		const shown = DOCUMENTS.flatMap((file) => targetsOf(textOf(file))).map((target) => path.basename(target));
		expect(images.filter((image) => !shown.includes(image))).toEqual([]);
	});

	test('are not older than the texts that they show', () => {
		const taken = JSON.parse(textOf(TAKEN)) as Record<string, string>;
		const pictures = images.filter((image) => image.endsWith('.png'));
		// UPDATE_IMAGES=1 npm run e2e:browser takes them again, and npm run e2e:page sandbox.png.
		expect(taken).toEqual(Object.fromEntries(pictures.map((image) => [image, hashOfShown(image.replace('.png', ''))])));
	});

	test('have no more than 200 KB', () => {
		expect(images.filter((image) => statSync(path.join(IMAGES, image)).size > 200 * 1024)).toEqual([]);
	});
});

test.each([
	['a link that is right from another folder only', '[x](docs/benchmarks.md)', 'docs/benchmarks.md is not there'],
	['a heading that is not there', '# A\n\n[x](#b)', '#b: docs/verification.md has no heading #b'],
	['a path that is not there', '`scripts/nothing/`', 'scripts/nothing/ is not there'],
	['a folder that nothing makes', '`.cache/no-such-folder`', '.cache/no-such-folder: nothing makes it'],
	['a variable that no code knows', '`NO_SUCH_THING=1`', 'no code knows NO_SUCH_THING'],
	['a script that is not there', '`npm run nothing`', 'npm run nothing: package.json has no script nothing'],
	['an option that a script does not have', '`npm run sandbox -- --prot 1`', 'npm run sandbox -- --prot 1: its help does not know --prot'],
	['an option that nothing has', '`-- --nothing`', 'nothing has an option --nothing'],
	['a command that cannot be checked', '```bash\nmake all\n```', 'make all: no test knows how to check make'],
])('%s is noticed', (_, markdown, problem) => {
	expect(CHECKS.flatMap(([, problemsOf]) => problemsOf(markdown, 'docs/verification.md'))).toEqual([problem]);
}, 300_000);
