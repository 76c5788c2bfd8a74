import { isDeeperThan } from '../../json';
import type { Excerpt } from './redact';
import { type ApiResponse, looksLikeJson, MAX_JSON_DEPTH } from './response';
import { serviceMessage } from './serviceWords';

/** Longest message taken from the service, in characters. */
const MAX_MESSAGE = 500;

/** Who gives a page where JSON is asked for. */
const IN_FRONT_OF_API = 'It probably comes from something in front of the API: a firewall, a proxy or another server';

/** Longest part of another body that an error shows, in characters. */
const MAX_SHOWN = 100;

/** The message in a body that tells of an error, in whatever JSON; '' where there is none. */
export function messageOf({ body }: ApiResponse, excerpt: Excerpt): string {
	return body.kind === 'json' ? excerpt(serviceMessage(body.value), MAX_MESSAGE) : '';
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
			return `an HTML page${body.title === '' ? '' : ` titled "${excerpt(body.title, MAX_SHOWN)}"`}. ${IN_FRONT_OF_API}`;
		case 'text':
			return looksLikeJson(body.text) ? 'JSON that is cut off or damaged' : `the text "${excerpt(body.text, MAX_SHOWN)}"`;
		case 'tooLarge':
			return `a body of more than ${body.limit}, which is the maximum`;
		case 'json':
			if (isDeeperThan(MAX_JSON_DEPTH, body.value)) return `JSON nested more than ${MAX_JSON_DEPTH} levels deep, which is the maximum`;
			return `the JSON ${excerpt(JSON.stringify(body.value), MAX_SHOWN)}`;
	}
}
