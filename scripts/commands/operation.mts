import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { operationsIn } from '../operation/document.mts';
import { type Draft, draftsOf } from '../operation/draft.mts';
import { fileOf, filesOf } from '../operation/files.mts';
import { runScript } from './results.mts';
import { commandLine, defineCommand } from './command.mts';
import { addWords } from './spelling.mts';

const SUMMARY = `Drafts operations of the node from the provider's OpenAPI document (3.0 or 3.1; YAML or JSON):
npm run operation -- DOCUMENT               lists its operations, and what each would become or why it can't
npm run operation -- DOCUMENT OPERATION …   writes operations, given as operationId or e.g. 'GET /customers'`;
const STILL_TO_DO = `Left to do by hand (CONTRIBUTING.md says how):
- Decide what is listed above: lint fails while there is a TODO
- Read names, labels, descriptions and toolDescription. Names are permanent once released
- npm run format, npm run docs and npm test; npm run e2e for a real n8n
- Mention the operation in README.md, docs/it/README.md and CHANGELOG.md, and its path in sandbox/public/index.html`;

export const operation = defineCommand(
	commandLine('npm run operation', SUMMARY, 'DOCUMENT [OPERATION …]')
		.option('--resource <NAME>', "in the editor, such as 'VoIP DSS Trunk'; default: from tag or path", editorName)
		.option('--name <NAME>', "in the editor, such as 'Get Many'; default: from the summary", editorName),
	async ({ resource, name }, { others: [file, ...ids] }) => {
		if (!file) throw new Failure('Name an OpenAPI document, and operations of it: see npm run operation -- --help.');
		if (name !== undefined && ids.length > 1) throw new Failure('--name is for a single operation.');
		const all = await operationsIn(path.resolve(process.env.INIT_CWD ?? '.', file));
		const found = ids.map((id) => all.find((each) => each.id === id || `${each.method} ${each.path}` === id));
		const missing = ids.find((_, index) => !found[index]);
		if (missing !== undefined)
			throw new Failure(`The document has no operation ${missing}. Without an operation, the command lists them.`);
		const asked = ids.length > 0 ? found.map((each) => each!) : all;
		const drafts = draftsOf(asked, { resource, name });
		const lines = asked.map(
			({ id, method, path: at }, index) => `${id}\n  ${method} ${at}\n  ${becomes(drafts[index]!)}`,
		);
		const written = drafts.filter((draft) => typeof draft === 'object');
		if (ids.length > 0 && written.length > 0) await write(written);
		if (ids.length > 0) lines.push(...written.map(decisionsOf), STILL_TO_DO);
		print(lines.join('\n'));
		return ids.length > 0 && written.length < ids.length ? 1 : 0;
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

async function write(drafts: Draft[]): Promise<void> {
	const files = await filesOf(drafts);
	for (const [target, text] of files) {
		await mkdir(path.dirname(path.join(ROOT, target)), { recursive: true });
		await writeFile(path.join(ROOT, target), text);
	}
	await runScript('docs');
	const words = await addWords([...files.keys()]);
	if (words.length > 0) print(`Words added to the spell check, in the document's spelling: ${words.join(', ')}`);
}

/** Sentences about what a mistake costs, and about what a second request does. */
const COST =
	/\b(?:bill|charge|cost|fee|price|paid|pay|refund|delete|remove|cancel|terminate|permanent|irreversible|undo)/i;
const REPEATS = /\b(?:create|creation|add|duplicate|idempotent|again|retry|unique|already|exist|order|send|sent)/i;

/** What a person has to decide, with the document's sentences that bear on it. */
function decisionsOf(draft: Draft): string {
	const { leftOut, reads, sentences, sent } = draft;
	const said = (about: RegExp) => {
		const quotes = sentences.filter((each) => about.test(each)).map((each) => `"${each}"`);
		return quotes.length > 0 ? `The document: ${quotes.slice(0, 4).join(' ')}` : 'The document says nothing of it';
	};
	const cost = `notice: what may it cost, can it be undone? Remove it if nothing is at stake. ${said(COST)}`;
	const repeats = `creates: what would a second request create or charge? Remove it if nothing. ${said(REPEATS)}`;
	const choices = sent.filter(({ required, field }) => required && field.type === 'options').map(({ field }) => field);
	const unknown = sent.filter(({ example }) => example === undefined).map(({ field }) => field);
	return [
		`${fileOf(draft)}:`,
		...(reads ? [] : [cost, repeats]),
		...choices.map((each) => `${each.displayName}: ${JSON.stringify(each.default)} is sent if nobody chooses`),
		...unknown.map((each) => `${each.displayName}: find an example`),
		...leftOut.map((each) => `left out: ${each}`),
	].join('\n  - ');
}
