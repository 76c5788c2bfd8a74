import type { Excerpt } from './redact';
import { type ApiResponse, isDeeperThan, looksLikeJson, MAX_JSON_DEPTH } from './response';

/** Longest message taken from the service, in characters. */
const MAX_MESSAGE = 500;

/** Longest part of another body that an error shows, in characters. */
const MAX_SHOWN = 100;

/** The API's error body, of whatever types its fields came; empty where the body is another. */
export function errorBodyOf({ body }: ApiResponse): { message?: unknown; errors?: unknown } {
	return body.kind === 'json' && typeof body.value === 'object' && body.value !== null ? body.value : {};
}

/** The message in the API's error body, or '' where the body is another. */
export function apiMessage(response: ApiResponse, excerpt: Excerpt): string {
	const { message } = errorBodyOf(response);
	return typeof message === 'string' ? excerpt(message, MAX_MESSAGE) : '';
}

/** One clause that says what the service answered: the API's own message, or what came in its place. */
export function describeResponse(response: ApiResponse, excerpt: Excerpt): string {
	const message = apiMessage(response, excerpt);
	if (message !== '') return `${message} (${response.status})`;
	return `the service answered ${response.status} with ${describeBody(response, excerpt)}`;
}

function describeBody({ body }: ApiResponse, excerpt: Excerpt): string {
	switch (body.kind) {
		case 'empty':
			return 'no body';
		case 'html':
			return body.title === '' ? 'an HTML page' : `an HTML page titled "${excerpt(body.title, MAX_SHOWN)}"`;
		case 'text':
			return looksLikeJson(body.text) ? 'JSON that is cut off or damaged' : `the text "${excerpt(body.text, MAX_SHOWN)}"`;
		case 'tooLarge':
			return `a body of more than ${body.limit}, which is the maximum`;
		case 'json':
			return isDeeperThan(MAX_JSON_DEPTH, body.value)
				? `JSON nested more than ${MAX_JSON_DEPTH} levels deep, which is the maximum`
				: "JSON that is not in the API's error format";
	}
}
