import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { Failure } from '../bootstrap/failure.mjs';
import { fromRoot, ROOT } from '../bootstrap/paths.mjs';
import { runProcess } from '../bootstrap/processes.mjs';
import { step } from '../bootstrap/progress.mjs';
import { type Found, operationsIn } from '../operation/document.mts';
import { type Draft, draftsOf } from '../operation/draft.mts';
import { filesOf } from '../operation/files.mts';
import { runScript } from './checks.mts';
import { defineCommand } from './command.mts';

/** An option for a name that the editor shows. */
const NAME = { type: 'string', value: 'NAME' } as const;

export const operation = defineCommand({
	name: 'npm run operation',
	summary: `Makes an operation of the node from the provider's OpenAPI document (3.0, 3.1 or Swagger 2; YAML or JSON):
npm run operation -- DOCUMENT             lists its operations: what each would become, or why it can't
npm run operation -- DOCUMENT OPERATION   writes one, by its operationId or such as 'GET /customers', and checks it`,
	options: {
		resource: { ...NAME, help: "the resource in the editor, such as 'VoIP DSS Trunk'; from the document's tag without it" },
		name: { ...NAME, help: "the operation in the editor, such as 'Get Many'; from method and operationId without it" },
		'dry-run': { type: 'boolean', help: 'print the files, and write none' },
		force: { type: 'boolean', help: 'write an operation again that is there' },
		'no-check': { type: 'boolean', help: 'write it without running the checks, as when several are written' },
	},
	othersFor: 'the document and the operation',
	async run({ resource, name, 'dry-run': isDryRun, force, 'no-check': isUnchecked }, { others: [file, id, ...more] }) {
		if (!file || more.length > 0) throw new Failure('Give a document, and one operation of it. npm run operation -- --help says more.');
		for (const [option, text] of Object.entries({ resource, name })) {
			if (text === undefined || /^[A-Z][A-Za-z0-9 ]{0,50}$/.test(text)) continue;
			throw new Failure(`--${option} takes a capital, then letters, digits and spaces, not ${JSON.stringify(text)}.`);
		}
		const all = await operationsIn(path.resolve(process.env.INIT_CWD ?? '.', file));
		const drafts = draftsOf(all, { resource, name, again: force });
		const line = (found: Found, index: number) => `${found.id}\n  ${found.method} ${found.path}\n  ${becomes(drafts[index]!)}`;
		if (id === undefined) return print(all.map(line).join('\n'));
		const draft = drafts[all.findIndex((found) => found.id === id || `${found.method} ${found.path}` === id)];
		if (!draft) throw new Failure(`The document has no operation ${id}. Without one, the command lists them.`);
		if (typeof draft === 'string') throw new Failure(`${id} can't be an operation of the node: ${draft}.`);
		const files = await filesOf(draft);
		if (isDryRun) return files.forEach((text, target) => console.log(`==> ${target}\n${text}`));
		for (const [target, text] of files) {
			await mkdir(path.dirname(path.join(ROOT, target)), { recursive: true });
			await writeFile(path.join(ROOT, target), text);
		}
		const [own = '', ...others] = files.keys();
		// n8n's own rules mend what they can, such as the words of a Limit.
		const eslint = path.join(ROOT, 'node_modules/eslint/bin/eslint.js');
		await runProcess(process.execPath, [eslint, '--fix', own], { cwd: ROOT, env: runEnvironment(), stdout: 'ignore', stderr: 'ignore' });
		const isGood = isUnchecked || (await check());
		print(report(draft, [own, ...others]));
		return isGood ? 0 : 1;
	},
});

export const docs = defineCommand({
	name: 'npm run docs',
	summary: "Writes into docs/operations.md what is made of the node's sources.",
	async run() {
		const { FILE, operationsReference } = await import('../docs/operations.ts');
		await writeFile(FILE, operationsReference());
		console.log(`✓ ${fromRoot(FILE)}`);
	},
});

/** Prints a text without characters that a terminal obeys. */
const print = (text: string) => console.log(text.replace(/(?!\n)\p{Cc}/gu, '?'));

const becomes = (draft: Draft | string) =>
	typeof draft === 'string' ? `✗ ${draft}` : `→ ${draft.resource.name}: ${draft.operation.name}`;

/** The checks that read the operations. */
async function check(): Promise<boolean> {
	const tests = ['unit/contract', 'unit/description', 'executor/operations', 'sandbox/document'];
	const scripts = [['docs'], ['typecheck'], ['lint'], ['lint:openapi'], ['gate'], ['test', '--', ...tests.map((name) => `test/${name}`)]];
	for (const [script = '', ...args] of scripts) {
		const { code, output } = await step(`npm run ${script}`, () => runScript(script, args), (ended) => ended.code === 0);
		if (code === 0) continue;
		console.log(`${output}\nThe files are written; what is above is still to be mended.`);
		return false;
	}
	return true;
}

/** What was written, and what a person has to decide. */
function report({ resource, operation: { name }, reads, creates, warns, leftOut }: Draft, files: string[]): string {
	const stake = warns ? 'write the notice' : reads ? 'it changes nothing' : 'add a notice, if it may cost money or cannot be undone';
	const again = creates ? 'remove creates if a second request changes nothing' : 'creates is for what a second request would create again';
	return [
		`${resource.name}: ${name}, in ${files.join(', ')} and docs/operations.md`,
		`Left out: ${leftOut.length > 0 ? leftOut.join('; ') : 'nothing'}`,
		'Names are permanent: --resource, --name and --force change those of the resource and the operation',
		'Words: labels, descriptions, placeholders, the action, toolDescription',
		`Risk: ${stake}; ${again}`,
	].join('\n');
}
