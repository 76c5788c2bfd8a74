import GithubSlugger from 'github-slugger';
import { marked } from 'marked';
import type { Token, Tokens } from 'marked';

/** A heading with what stands below it, up to the next heading of whatever level. */
export interface Section {
	/** As in the file: `## The *map*`. */
	raw: string;
	/** The anchor that GitHub gives it. */
	anchor: string;
	body: string;
}

/** Every token of a document, those within others included. */
export function tokensOf(markdown: string): Token[] {
	const tokens: Token[] = [];
	marked.walkTokens(marked.lexer(markdown), (token) => void tokens.push(token));
	return tokens;
}

/** The headings of a document, with their anchors. */
export function headingsOf(markdown: string): Section[] {
	const slugger = new GithubSlugger();
	const sections: Section[] = [];
	for (const token of marked.lexer(markdown)) {
		if (token.type === 'heading') sections.push({ raw: token.raw.trim(), anchor: slugger.slug(plainText(token as Tokens.Heading)), body: '' });
		else if (sections.length > 0) sections.at(-1)!.body += token.raw;
	}
	return sections;
}

/** The fenced code blocks of a document. */
export function blocksOf(markdown: string): Array<{ language: string; text: string }> {
	return tokensOf(markdown)
		.filter((token): token is Tokens.Code => token.type === 'code')
		.map(({ lang = '', text }) => ({ language: lang, text }));
}

function plainText({ tokens = [] }: { tokens?: Token[] }): string {
	return tokens.map((token) => ('tokens' in token && token.tokens ? plainText(token) : 'text' in token ? String(token.text) : token.raw)).join('');
}
