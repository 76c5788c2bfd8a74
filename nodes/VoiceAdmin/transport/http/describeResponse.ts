import type { Excerpt } from './redact';
import { type ApiResponse, looksLikeJson } from './response';
import { readErrorBody } from './readErrorBody';

/** Longest message taken from the service, in characters. */
const MAX_MESSAGE = 500;

/** Longest text of the details, in characters. */
export const MAX_DETAILS = 2_000;

/** Where a page comes from when JSON was expected. */
const LIKELY_SOURCE_OF_PAGE = 'It probably comes from something in front of the API: a firewall, a proxy or another server';

/** Longest part of another body that an error shows, in characters. */
const MAX_SHOWN = 100;

/**
 * What a response that is not a good one says in JSON, of whatever format: a message, '' where there is none, and what else
 * it tells, a line each.
 */
export function errorTextOf({ body }: ApiResponse, excerpt: Excerpt): { message: string; details: string } {
	if (body.kind !== 'json') return { message: '', details: '' };
	const { message, details } = readErrorBody(body.value);
	// Without a message, `describeBody` shows all of a short body.
	const isShownInFull = message === '' && body.text.length <= MAX_SHOWN;
	return { message: excerpt(message, MAX_MESSAGE), details: isShownInFull ? '' : excerpt(details.join('\n'), MAX_DETAILS) };
}

/** One clause that says what the service answered: its own message, or what came in its place. */
export function describeResponse(response: ApiResponse, excerpt: Excerpt): string {
	const { message } = errorTextOf(response, excerpt);
	return message === '' ? `the service returned ${response.status} with ${describeBody(response, excerpt)}` : `${message} (${response.status})`;
}

/** What came in the place of a message: "no body". */
export function describeBody({ body }: ApiResponse, excerpt: Excerpt): string {
	switch (body.kind) {
		case 'empty':
			return 'no body';
		case 'html':
			return `an HTML page${titleOf(body.text, excerpt)}. ${LIKELY_SOURCE_OF_PAGE}`;
		case 'text':
			if (looksLikeJson(body.text)) return 'JSON that is cut off or damaged';
			return `the text "${(body.text.startsWith('<') && excerpt(body.text, MAX_SHOWN, stripTags)) || excerpt(body.text, MAX_SHOWN, onOneLine)}"`;
		case 'tooLarge':
			return `a body of more than ${body.limit}, which is the maximum`;
		case 'json':
			return `the JSON ${excerpt(body.text, MAX_SHOWN, onOneLine)}`;
	}
}

/** The title of a page or, where it has none, its heading. */
function titleOf(html: string, excerpt: Excerpt): string {
	const [, rest = ''] = html.split(/<(?:title|h1)\b[^<>]*>(?!\s*<\/)/i, 2);
	const words = excerpt(rest.split(/<\/(?:title|h1)/i, 1)[0]!, MAX_SHOWN, stripTags);
	return words === '' ? '' : ` titled "${words}"`;
}

/** The words of HTML or XML. */
function stripTags(markup: string): string {
	return onOneLine(markup.replace(/<[^<>]*>/g, ' ')).trim();
}

function onOneLine(text: string): string {
	return text.replace(/\s+/g, ' ');
}
