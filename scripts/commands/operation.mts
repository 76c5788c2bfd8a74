import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runEnvironment } from '../bootstrap/environment.mjs';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { npm, runProcess } from '../bootstrap/processes.mjs';
import { step } from '../bootstrap/progress.mjs';
import { operationsIn } from '../operation/document.mts';
import { type Draft, draftsOf } from '../operation/draft.mts';
import { filesOf } from '../operation/files.mts';
import { defineCommand } from './command.mts';

export const operation = defineCommand({
	name: 'npm run operation',
	summary: `Makes an operation of the node from the provider's OpenAPI document (3.0, 3.1 or Swagger 2; YAML or JSON):
npm run operation -- DOCUMENT             lists its operations: what each would become, or why it can't
npm run operation -- DOCUMENT OPERATION   writes one, by its operationId or such as 'GET /customers', and checks it`,
	options: {
		resource: {
			type: 'string',
			value: 'NAME',
			help: "the resource in the editor, such as 'VoIP DSS Trunk'; from the document's tag without it",
		},
		name: {
			type: 'string',
			value: 'NAME',
			help: "the operation in the editor, such as 'Get Many'; from method and operationId without it",
		},
		'dry-run': { type: 'boolean', help: 'print the files, and write none' },
		force: { type: 'boolean', help: 'write an operation again that is there' },
	},
	othersFor: 'the document and the operation',
	async run({ resource, name, 'dry-run': isDryRun, force }, { others: [file, id, ...more] }) {
		if (file === undefined || more.length > 0)
			throw new Failure('Give a document, and one operation of it. npm run operation -- --help says more.');
		const all = await operationsIn(path.resolve(process.env.INIT_CWD ?? '.', file));
		const drafts = draftsOf(all, { resource, name, again: force });
		if (id === undefined)
			return all.forEach((found, index) => console.log(`${found.id}\n  ${found.method} ${found.path}\n  ${becomes(drafts[index]!)}`));
		const index = all.findIndex((found) => found.id === id || `${found.method} ${found.path}` === id);
		if (index < 0) throw new Failure(`The document has no operation ${id}. Without one, the command lists them.`);
		const draft = drafts[index]!;
		if (typeof draft === 'string') throw new Failure(`${id} can't be an operation of the node: ${draft}.`);
		const files = await filesOf(draft);
		const [own = ''] = files.keys();
		if (isDryRun) return files.forEach((text, target) => console.log(`==> ${target}\n${text}`));
		if (existsSync(path.join(ROOT, own)) && !force)
			throw new Failure(`${own} is there already. --name gives the operation another name, --force writes it again.`);
		for (const [target, text] of files) {
			await mkdir(path.dirname(path.join(ROOT, target)), { recursive: true });
			await writeFile(path.join(ROOT, target), text);
		}
		const isGood = await check(own);
		console.log(report(draft, [...files.keys()]).join('\n'));
		return isGood ? 0 : 1;
	},
});

const becomes = (draft: Draft | string) => (typeof draft === 'string' ? `✗ ${draft}` : `→ ${draft.resource.name}: ${draft.operation.name}`);

/** n8n's own rules mend what they can; then everything that takes operations from the data. */
async function check(file: string): Promise<boolean> {
	const bin = (tool: string) => path.join(ROOT, 'node_modules', tool);
	const env = runEnvironment();
	await runProcess(process.execPath, [bin('eslint/bin/eslint.js'), '--fix', file], { cwd: ROOT, env, stdout: 'ignore', stderr: 'inherit' });
	const tests = [
		'test/unit/contract',
		'test/unit/description',
		'test/executor/operations',
		'test/sandbox/everyStatus',
		'test/sandbox/document',
	];
	for (const script of [['docs'], ['typecheck'], ['lint'], ['lint:openapi'], ['gate'], ['test', '--', ...tests]]) {
		const { code, output } = await step(
			`npm run ${script[0]}`,
			async () => await npm(['run', '--silent', ...script], { log: `operation-${script[0]!.replace(':', '-')}`, cwd: ROOT, env }),
			(ended) => ended.code === 0,
		);
		if (code === 0) continue;
		console.log(`${output}\nThe files are written; what is above is still to be mended.`);
		return false;
	}
	return true;
}

function report({ resource, operation: { name }, creates, warns, leftOut, found }: Draft, files: string[]): string[] {
	const costly = warns
		? 'the notice says what is at stake'
		: found.method === 'GET'
			? 'it changes nothing'
			: 'it needs a notice, if it may cost money or can not be undone';
	return [
		`${resource.name}: ${name}, in ${files.join(', ')} and docs/operations.md`,
		`Left out: ${leftOut.length > 0 ? leftOut.join('; ') : 'nothing'}`,
		'Names are permanent. Decide: resource, operation, names of parameters (--resource, --name, --force)',
		'Words for people: labels, descriptions, placeholders, the action, toolDescription',
		`At stake: ${costly}; ${creates ? 'creates names what a second request would create again, or goes where there is no such thing' : 'creates is for requests that create something'}`,
	];
}
