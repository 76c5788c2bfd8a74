import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { readOperations } from '../operation/document.mts';
import { type Draft, createDrafts } from '../operation/draft.mts';
import { fileOf, createFiles } from '../operation/files.mts';
import { createProgram, defineCommand } from './command.mts';

const SUMMARY = `Drafts operations of the node from the provider's OpenAPI document (3.0 or 3.1; YAML or JSON):
npm run operation -- DOCUMENT               lists its operations, and what each would become or why it can't
npm run operation -- DOCUMENT OPERATION …   writes operations, given as operationId or e.g. 'GET /customers'`;
const NEXT_STEPS = 'Decide what is listed: lint fails while there is a TODO. Go on as CONTRIBUTING.md says.';

export const operation = defineCommand(
	createProgram('npm run operation', SUMMARY, 'DOCUMENT [OPERATION …]'),
	async (_, { otherArgs: [file, ...ids] }) => {
		if (!file) throw new Failure('Name an OpenAPI document, and operations of it: see npm run operation -- --help.');
		const operations = await readOperations(path.resolve(process.env.INIT_CWD ?? '.', file));
		const matches = ids.map((id) => operations.find((each) => [each.id, `${each.method} ${each.path}`].includes(id)));
		const missingId = ids.find((_, index) => !matches[index]);
		if (missingId !== undefined)
			throw new Failure(`The document has no operation ${missingId}. Without an operation, the command lists them.`);
		const selection = ids.length > 0 ? operations.filter((each) => matches.includes(each)) : operations;
		// Of all, so that the names are those of the list, whichever are written.
		const drafts = createDrafts(operations).filter((_, index) => selection.includes(operations[index]!));
		const lines = selection.map(
			({ id, method, path: url }, index) => `${id}\n  ${method} ${url}\n  ${describeDraft(drafts[index]!)}`,
		);
		const complete = drafts.filter((draft) => typeof draft === 'object');
		if (ids.length > 0 && complete.length > 0) lines.push(...(await writeDrafts(complete)), NEXT_STEPS);
		print(lines.join('\n'));
		return ids.length > 0 && complete.length < selection.length ? 1 : 0;
	},
);

/** Prints a text without control characters. */
const print = (text: string) => console.log(text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '?'));

const describeDraft = (draft: Draft | string) =>
	typeof draft === 'string' ? `✗ ${draft}` : `→ ${draft.resource.name}: ${draft.operation.name}`;

/** @returns what a person has to decide, draft by draft */
async function writeDrafts(drafts: Draft[]): Promise<string[]> {
	const files = await createFiles(drafts);
	for (const [target, text] of files) {
		await mkdir(path.dirname(path.join(ROOT, target)), { recursive: true });
		await writeFile(path.join(ROOT, target), text);
	}
	return drafts.map(listDecisions);
}

/** Sentences about what a mistake costs, and about what a second request does. */
const COST =
	/\b(?:bill|charge|cost|fee|price|paid|pay|refund|delete|remove|cancel|terminate|permanent|irreversible|undo)/i;
const REPETITION = /\b(?:create|creation|add|duplicate|idempotent|again|retry|unique|already|exist|order|send|sent)/i;

/** What a person has to decide, with the document's sentences that bear on it. */
function listDecisions(draft: Draft): string {
	const { omissions, isRead, sentences, values } = draft;
	const quoteDocument = (pattern: RegExp) => {
		const quotes = sentences.filter((each) => pattern.test(each)).map((each) => `"${each}"`);
		return quotes.length > 0 ? `The document: ${quotes.slice(0, 4).join(' ')}` : 'The document says nothing of it';
	};
	const cost = `notice: what may it cost, can it be undone? Remove it if nothing is at stake. ${quoteDocument(COST)}`;
	const repetition = `creates: what would a second request create or charge? Remove it if nothing. ${quoteDocument(REPETITION)}`;
	const choices = values
		.filter(({ required, field }) => required && field.type === 'options')
		.map(({ field }) => field);
	return [
		`${fileOf(draft)}:`,
		...(isRead ? [] : [cost, repetition]),
		...choices.map((each) => `${each.displayName}: ${JSON.stringify(each.default)} is sent if nobody chooses`),
		...omissions.map((each) => `left out: ${each}`),
	].join('\n  - ');
}
