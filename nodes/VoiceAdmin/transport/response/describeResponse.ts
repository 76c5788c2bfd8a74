import type { Excerpt } from './redact';
import { type ApiResponse, looksLikeJson } from './readResponse';
import { readErrorBody } from './readErrorBody';

/** Maximum characters of the service's message. */
const MAX_MESSAGE = 500;

/** Maximum characters of its details. */
export const MAX_DETAILS = 2_000;

const LIKELY_SOURCE_OF_PAGE =
	'It probably comes from something in front of the API: a firewall, a proxy or another server';

/** Maximum characters of any other body. */
const MAX_SHOWN = 100;

/** The message ('' for none) and details (one per line) of a failed response's JSON, in whatever format. */
export function messageAndDetails({ body }: ApiResponse, excerpt: Excerpt): { message: string; details: string } {
	if (body.kind !== 'json') return { message: '', details: '' };
	const { message, details } = readErrorBody(body.value);
	// Without a message, `describeBody` shows all of a short body.
	const isShownInFull = message === '' && body.text.length <= MAX_SHOWN;
	return {
		message: excerpt(message, MAX_MESSAGE),
		details: isShownInFull ? '' : excerpt(details.join('\n'), MAX_DETAILS),
	};
}

/** The service's message, or a description of its body, as one clause. */
export function describeResponse(response: ApiResponse, excerpt: Excerpt): string {
	const { message } = messageAndDetails(response, excerpt);
	return message === ''
		? `the service returned ${response.status} with ${describeBody(response, excerpt)}`
		: `${message} (${response.status})`;
}

/** A body without a message: "no body". */
export function describeBody({ body }: ApiResponse, excerpt: Excerpt): string {
	switch (body.kind) {
		case 'empty':
			return 'no body';
		case 'html':
			return `an HTML page${titleOf(body.text, excerpt)}. ${LIKELY_SOURCE_OF_PAGE}`;
		case 'text':
			if (looksLikeJson(body.text)) return "JSON that's cut off or damaged";
			return `the text "${(body.text.startsWith('<') && excerpt(body.text, MAX_SHOWN, stripTags)) || excerpt(body.text, MAX_SHOWN, onOneLine)}"`;
		case 'tooLarge':
			return `a body of more than ${body.limit}, which is the maximum`;
		case 'json':
			return `the JSON ${excerpt(body.text, MAX_SHOWN, onOneLine)}`;
	}
}

/** A page's title or, if it has none, its heading. */
function titleOf(html: string, excerpt: Excerpt): string {
	const [, rest = ''] = html.split(/<(?:title|h1)\b[^<>]*>(?!\s*<\/)/i, 2);
	const words = excerpt(rest.split(/<\/(?:title|h1)/i, 1)[0]!, MAX_SHOWN, stripTags);
	return words === '' ? '' : ` titled "${words}"`;
}

function stripTags(markup: string): string {
	return onOneLine(markup.replace(/<[^<>]*>/g, ' ')).trim();
}

function onOneLine(text: string): string {
	return text.replace(/\s+/g, ' ');
}
