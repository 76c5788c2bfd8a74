import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { Failure } from '../bootstrap/failure.mjs';
import { fromRoot, ROOT } from '../bootstrap/paths.mjs';
import { runProcess } from '../bootstrap/processes.mjs';
import { type Found, operationsIn } from '../operation/document.mts';
import { type Draft, draftsOf } from '../operation/draft.mts';
import { filesOf } from '../operation/files.mts';
import { ensureBuilt } from '../install/tarball.mts';
import { printSummary, runScript } from './results.mts';
import { commandLine, defineCommand } from './command.mts';
import { addWords, SPELLING } from './spelling.mts';
import { CHECKS, runHere } from './test.mts';

export const operation = defineCommand(
	commandLine(
		'npm run operation',
		`Generates operations of the node from the provider's OpenAPI document (3.0, 3.1 or Swagger 2; YAML or JSON):
npm run operation -- DOCUMENT               lists its operations, and what each would become or why it can't
npm run operation -- DOCUMENT OPERATION …   writes and checks operations, given as operationId or e.g. 'GET /customers'`,
		'DOCUMENT [OPERATION …]',
	)
		.option(
			'--resource <NAME>',
			"the resource in the editor, such as 'VoIP DSS Trunk'; default: from the document's tag",
			editorName,
		)
		.option(
			'--name <NAME>',
			"the operation in the editor, such as 'Get Many'; default: from method and operationId",
			editorName,
		)
		.option('--deprecated', 'also accept operations that are deprecated in the document', false)
		.option('--dry-run', 'print the files without writing them', false)
		.option('--force', 'overwrite an existing operation', false)
		.option('--no-check', 'write without running the checks'),
	async ({ resource, name, deprecated, dryRun: isDryRun, force, check: isChecked }, { others: [file, ...ids] }) => {
		if (!file) throw new Failure('Name an OpenAPI document, and operations of it: see npm run operation -- --help.');
		if (name !== undefined && ids.length > 1) throw new Failure('--name is for a single operation.');
		const all = await operationsIn(path.resolve(process.env.INIT_CWD ?? '.', file));
		const drafts = draftsOf(all, { resource, name, force, deprecated });
		const line = (candidate: Found, index: number) =>
			`${candidate.id}\n  ${candidate.method} ${candidate.path}\n  ${becomes(drafts[index]!)}`;
		if (ids.length === 0) return print(all.map(line).join('\n'));
		const selection = [...new Set(ids)].map((id) => {
			const draft =
				drafts[all.findIndex((candidate) => candidate.id === id || `${candidate.method} ${candidate.path}` === id)];
			if (!draft)
				throw new Failure(`The document has no operation ${id}. Without an operation, the command lists them.`);
			if (typeof draft === 'string') throw new Failure(`${id} can't be an operation of the node: ${draft}.`);
			return draft;
		});
		const files = await filesOf(selection);
		if (isDryRun) return files.forEach((text, target) => print(`==> ${target}\n${text}`));
		await write(files);
		const words = await addWords([...files.keys()]);
		const isGood = !isChecked || (await check());
		print(
			[
				...selection.map(report),
				`Files: ${[...files.keys()].join(', ')} and docs/operations.md`,
				...(words.length > 0 ? [`Words added to ${SPELLING}, in the document's spelling: ${words.join(', ')}`] : []),
				...STILL_TO_DO,
			].join('\n'),
		);
		return isGood ? 0 : 1;
	},
);

export const docs = defineCommand(
	commandLine('npm run docs', "Updates the generated parts of docs/operations.md from the node's sources."),
	async () => {
		const { FILE, operationsReference } = await import('../docs/operations.ts');
		await writeFile(FILE, operationsReference());
		console.log(`✓ ${fromRoot(FILE)}`);
	},
);

/** Checks a name for the editor. */
function editorName(text: string): string {
	if (/^[A-Z][A-Za-z0-9 ]{0,50}$/.test(text)) return text;
	throw new InvalidArgumentError('It must be a capital letter, followed by letters, digits and spaces.');
}

/** Prints a text without control characters. */
const print = (text: string) => console.log(text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '?'));

const becomes = (draft: Draft | string) =>
	typeof draft === 'string' ? `✗ ${draft}` : `→ ${draft.resource.name}: ${draft.operation.name}`;

async function write(files: Map<string, string>): Promise<void> {
	for (const [target, text] of files) {
		await mkdir(path.dirname(path.join(ROOT, target)), { recursive: true });
		await writeFile(path.join(ROOT, target), text);
	}
	// n8n's ESLint rules fix what they can, such as the description of a Limit.
	const operationFiles = [...files.keys()].filter((target) => /operations\/\w+\/\w+\.ts$/.test(target));
	const eslint = path.join(ROOT, 'node_modules/eslint/bin/eslint.js');
	await runProcess(process.execPath, [eslint, '--fix', ...operationFiles], {
		cwd: ROOT,
		env: runEnvironment(),
		stdout: 'ignore',
		stderr: 'ignore',
	});
}

/** The tests that depend on the operations, or on what is generated from them. */
const TESTS = ['unit/contract', 'unit/description', 'executor/operations', 'sandbox/operations', 'package'];

/** Runs the checks of `npm test`, and those tests. */
async function check(): Promise<boolean> {
	const started = Date.now();
	const docs = { title: 'docs/operations.md', passed: (await runScript('docs')).code === 0 };
	await ensureBuilt();
	const results = [
		...(await runHere(
			TESTS.map((name) => `test/${name}`),
			CHECKS,
		)),
		docs,
	];
	printSummary('Summary', results, started);
	return results.every(({ passed }) => passed);
}

const STILL_TO_DO = [
	'Left to do by hand:',
	'- Review labels, descriptions, placeholders, action and toolDescription in docs/operations.md',
	'- Review notice and creates: does it cost money, can it be undone, what would a second request create again? See CONTRIBUTING.md',
	'- Mention the operation in README.md, docs/it/README.md and CHANGELOG.md, and its path in sandbox/public/index.html (fault-scope)',
	'- If the test of the tarball size fails: raise the limit in test/package/package.test.ts',
	'- Run npm test for the other tests, and npm run e2e for a real n8n',
];

/** The summary of a written operation. */
const report = ({ resource, operation: { name }, stake, creates, leftOut }: Draft) =>
	[
		`${resource.name}: ${name}${stake ? ', with a notice' : ''}${creates ? ', with creates' : ''} (the name is permanent once ` +
			'released: to change it now, delete the files and generate the operation again)',
		...(leftOut.length > 0 ? [`  Left out: ${leftOut.join('; ')}`] : []),
	].join('\n');
