import { parseDocument } from 'htmlparser2';
import { marked } from 'marked';
import type { Token, Tokens } from 'marked';

import { headingsOf } from './markdown';

/** What a translation has to keep of a piece of text, by what it is: `figures`, `links`, … */
export type Traits = Record<'language' | 'lines' | 'elements' | 'code spans' | 'names in italics' | 'links' | 'pictures' | 'figures' | 'sentences', string[]>;

/** The least that is translated as a whole: a paragraph, an item of a list, a cell of a table, a code block. */
export interface Piece {
	/** Where it is in its section: `paragraph 2`, `table 1, row 3, column 2`. */
	place: string;
	/** In the file, from 1. */
	line: number;
	traits: Traits;
	/** What is read out, or shown, in place of its pictures. */
	alternatives: string[];
}

/** What stands between two blank lines, or two headings. */
export interface Block {
	/** What is the same in every language: `paragraph`, `table of 3 columns and 5 rows`. */
	shape: string;
	line: number;
	pieces: Piece[];
}

export interface Section {
	heading: string;
	level: number;
	anchor: string;
	line: number;
	blocks: Block[];
}

export interface Language {
	/** A figure as this language writes it, as a number that others can be compared with: `1,000` and `1.000` are `1000`. */
	number: (figure: string) => string;
	/** Abbreviations whose full stop ends no sentence. */
	abbreviations: RegExp;
}

export const ENGLISH: Language = {
	number: (figure) => (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(figure) ? figure.replaceAll(',', '') : figure),
	abbreviations: /\b(e\.g|i\.e)\./g,
};

export const ITALIAN: Language = {
	// Versions keep their full stops, as in 2.8.4: only what is written as a number is read as one.
	number: (figure) => (/^\d{1,3}(\.\d{3})+(,\d+)?$/.test(figure) ? figure.replaceAll('.', '') : figure).replace(/^(\d+),(\d+)$/, '$1.$2'),
	abbreviations: /\b(ad es|p\. es|ecc)\./g,
};

/** The sections of a document, each of which begins with a heading, and what they consist of. */
export function outlineOf(markdown: string, language: Language): Section[] {
	const anchors = headingsOf(markdown).map(({ anchor }) => anchor);
	const sections: Section[] = [];
	let line = 1;
	for (const token of marked.lexer(markdown)) {
		const section = sections.at(-1);
		if (token.type === 'heading') {
			const { text, depth } = token as Tokens.Heading;
			sections.push({ heading: text, level: depth, anchor: anchors[sections.length]!, line, blocks: [] });
		} else if (section && token.type !== 'space') section.blocks.push(blockOf(token, line, section.blocks, language));
		line += linesIn(token.raw);
	}
	return sections;
}

const linesIn = (raw: string) => raw.split('\n').length - 1;

function blockOf(token: Token, line: number, before: Block[], language: Language): Block {
	const kind = token.type === 'code' ? 'code block' : token.type;
	const place = `${kind} ${1 + before.filter(({ shape }) => shape.startsWith(kind)).length}`;
	const inline = (tokens: Token[]) => inlineTraits(tokens, language);
	const piece = (where: string, at: number, { alternatives = [], ...traits }: Partial<Traits> & { alternatives?: string[] }): Piece => ({
		place: where,
		line: at,
		traits: { ...NONE, ...traits },
		alternatives,
	});

	if (token.type === 'table') {
		const { header, rows } = token as Tokens.Table;
		const cells = (row: Tokens.TableCell[], where: string, at: number) => row.map(({ tokens }, column) => piece(`${place}, ${where}, column ${column + 1}`, at, inline(tokens)));
		const pieces = [...cells(header, 'head', line), ...rows.flatMap((row, index) => cells(row, `row ${index + 1}`, line + 2 + index))];
		return { shape: `${kind} of ${header.length} columns and ${rows.length} rows`, line, pieces };
	}
	if (token.type === 'list') {
		const { items, ordered } = token as Tokens.List;
		let at = line;
		const pieces = items.map(({ tokens, raw }, index) => {
			const item = piece(`${place}, item ${index + 1}`, at, inline(tokens));
			at += linesIn(raw);
			return item;
		});
		return { shape: `${kind} of ${items.length} ${ordered ? 'numbered ' : ''}items`, line, pieces };
	}
	return { shape: kind, line, pieces: [piece(place, line, token.type === 'code' ? codeTraits(token as Tokens.Code) : token.type === 'html' ? htmlTraits(token.raw) : inline([token]))] };
}

const NONE: Traits = { language: [], lines: [], elements: [], 'code spans': [], 'names in italics': [], links: [], pictures: [], figures: [], sentences: [] };

const codeTraits = ({ lang = '', text }: Tokens.Code) => ({ language: [lang], lines: text.split('\n').map((each, index) => `${index + 1}: ${each}`) });

interface Element {
	name?: string;
	attribs?: Record<string, string>;
	children?: Element[];
}

function htmlTraits(html: string): Pick<Traits, 'elements'> & { alternatives: string[] } {
	const elements: string[] = [];
	const alternatives: string[] = [];
	const visit = ({ name, attribs: { alt, ...others } = {}, children = [] }: Element): void => {
		if (name !== undefined) elements.push([name, ...Object.entries(others).map(([attribute, value]) => `${attribute}=${value}`)].join(' '));
		if (alt !== undefined) alternatives.push(alt);
		children.forEach(visit);
	};
	visit(parseDocument(html) as Element);
	return { elements, alternatives };
}

/** Figures in a text, but not those that belong to a name, as in `n8n`. */
export const FIGURE = /(?<![\p{L}\d.,])\d+([.,]\d+)*/gu;

function inlineTraits(tokens: Token[], { number, abbreviations }: Language): Partial<Traits> & { alternatives: string[] } {
	const found: Token[] = [];
	marked.walkTokens(tokens, (token) => void found.push(token));
	const of = <T extends Token>(type: T['type']) => found.filter((token): token is T => token.type === type);
	// Tokens that hold others say the same as these.
	const text = found.map((token) => (token.type === 'codespan' ? '`' : token.type === 'text' && !('tokens' in token && token.tokens) ? (token.text as string) : '')).join('');
	const images = of<Tokens.Image>('image');
	return {
		'code spans': [...new Set(of<Tokens.Codespan>('codespan').map((token) => token.text))],
		// The editor's names begin with a capital; what does not is stressed.
		'names in italics': [...new Set(of<Tokens.Em>('em').map((token) => token.text).filter((name) => /^\p{Lu}/u.test(name)))],
		links: of<Tokens.Link>('link').map(({ href }) => href),
		pictures: images.map(({ href }) => href),
		figures: [...text.matchAll(FIGURE)].map(([figure]) => number(figure)),
		sentences: [String(1 + [...text.replace(abbreviations, '$1').matchAll(/[.!?]["”»)]*\s/g)].length)],
		alternatives: images.map((image) => image.text),
	};
}
