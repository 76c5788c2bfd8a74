import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

import GithubSlugger from 'github-slugger';
import { marked, Parser, TextRenderer, type Token, type Tokens } from 'marked';

import { ROOT } from '../scripts/run';

/** Not a symbolic link, which is a second name of a document: its links are those of the place where it is. */
const isFile = (name: string): boolean =>
	lstatSync(path.join(ROOT, name), { throwIfNoEntry: false })?.isFile() ?? false;

/** Every file of the project that git does not ignore, from its root, with `/` between folders. */
export const FILES = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
	cwd: ROOT,
	encoding: 'utf8',
})
	.split('\0')
	.filter(isFile);

/** Every document of the project, whichever they are. */
export const DOCUMENTS = FILES.filter((file) => file.endsWith('.md'));

export const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** A heading with what stands below it, up to the next heading of whatever level. */
export interface Section {
	/** As in the file: `## The *map*`. */
	raw: string;
	/** The anchor that GitHub gives it. */
	anchor: string;
	body: string;
}

/** What a document has of a type, within others too. */
function ofType<T extends Token>(markdown: string, type: T['type']): T[] {
	const found: T[] = [];
	marked.walkTokens(marked.lexer(markdown), (token) => void (token.type === type && found.push(token as T)));
	return found;
}

/** The headings of a document, with their anchors. */
export function headingsOf(markdown: string): Section[] {
	const slugger = new GithubSlugger();
	const sections: Section[] = [];
	for (const token of marked.lexer(markdown)) {
		if (token.type === 'heading') {
			const text = new Parser().parseInline((token as Tokens.Heading).tokens, new TextRenderer());
			sections.push({ raw: token.raw.trim(), anchor: slugger.slug(text), body: '' });
		} else if (sections.length > 0) sections.at(-1)!.body += token.raw;
	}
	return sections;
}

/** The fenced code blocks of a document. */
export function blocksOf(markdown: string): Array<{ language: string; text: string }> {
	return ofType<Tokens.Code>(markdown, 'code').map(({ lang = '', text }) => ({ language: lang, text }));
}

/** What stands in backticks within the text. */
export const spansOf = (markdown: string): string[] =>
	ofType<Tokens.Codespan>(markdown, 'codespan').map(({ text }) => text);

/** Where links and pictures point to, those in HTML included. */
export function targetsOf(markdown: string): string[] {
	const [links, images, html] = [
		ofType<Tokens.Link>(markdown, 'link'),
		ofType<Tokens.Image>(markdown, 'image'),
		ofType<Tokens.HTML>(markdown, 'html'),
	];
	const inHtml = html.flatMap(({ raw }) =>
		[...raw.matchAll(/ (?:href|src|srcset)="([^"]+)"/g)].map(([, target]) => target!),
	);
	return [...[...links, ...images].map(({ href }) => href), ...inHtml];
}
