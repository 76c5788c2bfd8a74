import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { operationsIn } from '../operation/document.mts';
import { type Draft, draftsOf } from '../operation/draft.mts';
import { fileOf, filesOf } from '../operation/files.mts';
import { commandLine, defineCommand } from './command.mts';

const SUMMARY = `Drafts operations of the node from the provider's OpenAPI document (3.0 or 3.1; YAML or JSON):
npm run operation -- DOCUMENT               lists its operations, and what each would become or why it can't
npm run operation -- DOCUMENT OPERATION …   writes operations, given as operationId or e.g. 'GET /customers'`;
const STILL_TO_DO = 'Decide what is listed: lint fails while there is a TODO. Go on as CONTRIBUTING.md says.';

export const operation = defineCommand(
	commandLine('npm run operation', SUMMARY, 'DOCUMENT [OPERATION …]'),
	async (_, { others: [file, ...ids] }) => {
		if (!file) throw new Failure('Name an OpenAPI document, and operations of it: see npm run operation -- --help.');
		const all = await operationsIn(path.resolve(process.env.INIT_CWD ?? '.', file));
		const found = ids.map((id) => all.find((each) => each.id === id || `${each.method} ${each.path}` === id));
		const missing = ids.find((_, index) => !found[index]);
		if (missing !== undefined)
			throw new Failure(`The document has no operation ${missing}. Without an operation, the command lists them.`);
		const asked = ids.length > 0 ? all.filter((each) => found.includes(each)) : all;
		// Of all, so that the names are those of the list, whichever are written.
		const drafts = draftsOf(all).filter((_, index) => asked.includes(all[index]!));
		const lines = asked.map(
			({ id, method, path: at }, index) => `${id}\n  ${method} ${at}\n  ${becomes(drafts[index]!)}`,
		);
		const written = drafts.filter((draft) => typeof draft === 'object');
		if (ids.length > 0 && written.length > 0) await write(written);
		if (ids.length > 0 && written.length > 0) lines.push(...written.map(decisionsOf), STILL_TO_DO);
		print(lines.join('\n'));
		return ids.length > 0 && written.length < asked.length ? 1 : 0;
	},
);

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
	return [
		`${fileOf(draft)}:`,
		...(reads ? [] : [cost, repeats]),
		...choices.map((each) => `${each.displayName}: ${JSON.stringify(each.default)} is sent if nobody chooses`),
		...leftOut.map((each) => `left out: ${each}`),
	].join('\n  - ');
}
