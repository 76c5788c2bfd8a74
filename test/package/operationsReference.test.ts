import type { Tokens } from 'marked';

import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { operationsReference } from '../../scripts/docs/operations';
import { textOf, tokensOf } from './documents';

const FILE = 'docs/operations.md';

test(`${FILE} is what \`npm run docs\` writes`, () => {
	const isCurrent = textOf(FILE) === operationsReference();
	expect(`${FILE} ${isCurrent ? 'is current' : 'is not current: run `npm run docs`'}`).toBe(`${FILE} is current`);
});

test('a table shows any text as it is', () => {
	const text = 'a | b \\| `c` <d> *e* _f_ [g](h)\ni';
	const [customer] = RESOURCES;
	const [operation] = customer!.operations;
	const field = { ...operation!.fields[0]!, displayName: text, default: 'j | k', description: text };
	const markdown = operationsReference([{ ...customer!, operations: [{ ...operation!, fields: [field] }] }]);
	const [table] = tokensOf(markdown).filter((token): token is Tokens.Table => token.type === 'table');
	// Line breaks become spaces.
	const shown = text.replace('\n', ' ');
	expect(table!.rows[0]!.map(({ tokens }) => tokens.map(shownOf).join(''))).toEqual([
		shown, 'vatNumber', 'body: vatNumber', 'Text, e.g. IT12345678903', '', 'j | k',
		`${shown}. Required unless Other Fields contains it.`,
	]);
});

/** What a reader sees of text and code; anything else stands out. */
function shownOf({ type, raw, ...token }: Tokens.Generic): string {
	return ['text', 'escape', 'codespan'].includes(type) ? (token as unknown as { text: string }).text : `<${type}: ${raw}>`;
}
