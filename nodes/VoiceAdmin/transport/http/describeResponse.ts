import type { Excerpt } from './redact';
import { type ApiResponse, looksLikeJson } from './response';
import { serviceWords } from './serviceWords';

/** Longest message taken from the service, in characters. */
const MAX_MESSAGE = 500;

/** Who gives a page where JSON is asked for. */
const IN_FRONT_OF_API = 'It probably comes from something in front of the API: a firewall, a proxy or another server';

/** Longest part of another body that an error shows, in characters. */
const MAX_SHOWN = 100;

/** The message in a body that tells of an error, in whatever JSON; '' where there is none. */
export function messageOf({ body }: ApiResponse, excerpt: Excerpt): string {
	return body.kind === 'json' ? excerpt(serviceWords(body.value).message, MAX_MESSAGE) : '';
}

/** One clause that says what the service answered: its own message, or what came in its place. */
export function describeResponse(response: ApiResponse, excerpt: Excerpt): string {
	const message = messageOf(response, excerpt);
	if (message !== '') return `${message} (${response.status})`;
	return `the service answered ${response.status} with ${describeBody(response, excerpt)}`;
}

function describeBody({ body }: ApiResponse, excerpt: Excerpt): string {
	switch (body.kind) {
		case 'empty':
			return 'no body';
		case 'html':
			return `an HTML page${wordsOfPage(body.text, excerpt)}. ${IN_FRONT_OF_API}`;
		case 'text':
			if (looksLikeJson(body.text)) return 'JSON that is cut off or damaged';
			return `the text "${(body.text.startsWith('<') && excerpt(body.text, MAX_SHOWN, withoutTags)) || excerpt(body.text, MAX_SHOWN)}"`;
		case 'tooLarge':
			return `a body of more than ${body.limit}, which is the maximum`;
		case 'json':
			return `the JSON ${excerpt(body.text, MAX_SHOWN, onOneLine)}`;
	}
}

/** Parts of a page that say what it is, the most telling first. */
const PARTS: Array<[says: string, opening: RegExp, closing: RegExp]> = [
	['titled', /<title\b[^<>]*>/i, /<\/title/i],
	['that says', /<h1\b[^<>]*>/i, /<\/h1/i],
	['that says', /<body\b[^<>]*>/i, /<\/body/i],
	['that says', /^/, /<\/html/i],
];

function wordsOfPage(html: string, excerpt: Excerpt): string {
	for (const [says, opening, closing] of PARTS) {
		const found = opening.exec(html);
		const [part = ''] = found ? html.slice(found.index + found[0].length).split(closing, 1) : [];
		const words = excerpt(part, MAX_SHOWN, withoutTags);
		if (words !== '') return ` ${says} "${words}"`;
	}
	return '';
}

/** The words of HTML or XML. */
function withoutTags(markup: string): string {
	return onOneLine(markup.replace(/<[^<>]*>/g, ' ')).trim();
}

function onOneLine(text: string): string {
	return text.replace(/\s+/g, ' ');
}
