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
import { CHECKS, runHere } from './test.mts';

export const operation = defineCommand(
	commandLine('npm run operation', `Makes operations of the node from the provider's OpenAPI document (3.0, 3.1 or Swagger 2; YAML or JSON):
npm run operation -- DOCUMENT               lists its operations: what each would become, or why it can't
npm run operation -- DOCUMENT OPERATION …   writes them, each by its operationId or such as 'GET /customers', and checks them`, 'the document and the operations')
		.option('--resource <NAME>', "the resource in the editor, such as 'VoIP DSS Trunk'; from the document's tag without it", editorName)
		.option('--name <NAME>', "the operation in the editor, such as 'Get Many'; from method and operationId without it", editorName)
		.option('--deprecated', 'take operations that the document calls deprecated, too', false)
		.option('--dry-run', 'print the files, and write none', false)
		.option('--force', 'write an operation again that is there', false)
		.option('--no-check', 'write without running the checks'),
	async ({ resource, name, deprecated, dryRun: isDryRun, force, check: isChecked }, { others: [file, ...ids] }) => {
		if (!file) throw new Failure('Give a document, and operations of it. npm run operation -- --help says more.');
		if (name !== undefined && ids.length > 1) throw new Failure('--name is for one operation.');
		const all = await operationsIn(path.resolve(process.env.INIT_CWD ?? '.', file));
		const drafts = draftsOf(all, { resource, name, again: force, deprecated });
		const line = (found: Found, index: number) => `${found.id}\n  ${found.method} ${found.path}\n  ${becomes(drafts[index]!)}`;
		if (ids.length === 0) return print(all.map(line).join('\n'));
		const chosen = [...new Set(ids)].map((id) => {
			const draft = drafts[all.findIndex((found) => found.id === id || `${found.method} ${found.path}` === id)];
			if (!draft) throw new Failure(`The document has no operation ${id}. Without one, the command lists them.`);
			if (typeof draft === 'string') throw new Failure(`${id} can't be an operation of the node: ${draft}.`);
			return draft;
		});
		const files = await filesOf(chosen);
		if (isDryRun) return files.forEach((text, target) => print(`==> ${target}\n${text}`));
		await write(files);
		const isGood = !isChecked || (await check());
		print([...chosen.map(report), `Files: ${[...files.keys()].join(', ')} and docs/operations.md`, ...STILL_TO_DO].join('\n'));
		return isGood ? 0 : 1;
	},
);

export const docs = defineCommand(
	commandLine('npm run docs', "Writes into docs/operations.md what is made of the node's sources."),
	async () => {
		const { FILE, operationsReference } = await import('../docs/operations.ts');
		await writeFile(FILE, operationsReference());
		console.log(`✓ ${fromRoot(FILE)}`);
	},
);

/** A name that the editor shows. */
function editorName(text: string): string {
	if (/^[A-Z][A-Za-z0-9 ]{0,50}$/.test(text)) return text;
	throw new InvalidArgumentError('It takes a capital, then letters, digits and spaces.');
}

/** Prints a text without characters that a terminal obeys. */
const print = (text: string) => console.log(text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '?'));

const becomes = (draft: Draft | string) =>
	typeof draft === 'string' ? `✗ ${draft}` : `→ ${draft.resource.name}: ${draft.operation.name}`;

async function write(files: Map<string, string>): Promise<void> {
	for (const [target, text] of files) {
		await mkdir(path.dirname(path.join(ROOT, target)), { recursive: true });
		await writeFile(path.join(ROOT, target), text);
	}
	// n8n's own rules mend what they can, such as the words of a Limit.
	const own = [...files.keys()].filter((target) => /operations\/\w+\/\w+\.ts$/.test(target));
	const eslint = path.join(ROOT, 'node_modules/eslint/bin/eslint.js');
	await runProcess(process.execPath, [eslint, '--fix', ...own], { cwd: ROOT, env: runEnvironment(), stdout: 'ignore', stderr: 'ignore' });
}

/** The tests of `npm test` that read the operations, or what is written of them. */
const TESTS = ['unit/contract', 'unit/description', 'executor/operations', 'sandbox/document', 'package'];

/** What `npm test` checks. */
async function check(): Promise<boolean> {
	const started = Date.now();
	const docs = { title: 'docs/operations.md', passed: (await runScript('docs')).code === 0 };
	await ensureBuilt();
	const results = [...(await runHere(TESTS.map((name) => `test/${name}`), CHECKS)), docs];
	printSummary('Summary', results, started);
	return results.every(({ passed }) => passed);
}

/** What a person does, as no rule can. */
const STILL_TO_DO = [
	'Still to do, by a person:',
	'- Labels, descriptions, placeholders, action, toolDescription: read them in docs/operations.md',
	'- notice and creates: does it cost money, can it be undone, what would a second request create again? CONTRIBUTING.md says more',
	'- Words that the check of spelling does not know: correct them, or add those that are right to cspell.config.yaml',
	'- README.md, docs/it/README.md and CHANGELOG.md: mention the operation',
	'- Pictures, if their test fails: UPDATE_IMAGES=1 npm run e2e:browser takes them again',
	'- The size of the tarball, if its test fails: the bound is in test/package/package.test.ts',
	'- npm test, for the other tests, and npm run e2e for a real n8n',
];

/** What was written of an operation. */
const report = ({ resource, operation: { name }, stake, creates, leftOut }: Draft) =>
	[
		`${resource.name}: ${name}${stake ? ', with a notice' : ''}${creates ? ', with creates' : ''} (its name is permanent: for another, delete its files, and write it again)`,
		...(leftOut.length > 0 ? [`  Left out: ${leftOut.join('; ')}`] : []),
	].join('\n');
