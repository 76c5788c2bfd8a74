import type { Excerpt } from './excerpt';
import { isDeeperThan, MAX_JSON_DEPTH } from '../../execution/outputItems';
import { beginsLikeJson, type Reply } from './response';

/** Longest message taken from the service, in characters. */
const MAX_MESSAGE = 500;

/** Names of the statuses that this API and the proxies before it are known to use. */
const STATUS_NAMES: Record<number, string> = {
	301: 'Moved Permanently',
	302: 'Found',
	307: 'Temporary Redirect',
	308: 'Permanent Redirect',
	400: 'Bad Request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not Found',
	405: 'Method Not Allowed',
	408: 'Request Timeout',
	409: 'Conflict',
	413: 'Content Too Large',
	415: 'Unsupported Media Type',
	422: 'Unprocessable Content',
	429: 'Too Many Requests',
	500: 'Internal Server Error',
	502: 'Bad Gateway',
	503: 'Service Unavailable',
	504: 'Gateway Timeout',
};

/** The fields of the API's error body, of whatever types they came; none where the body is another. */
export function errorBody({ body }: Reply): { message?: unknown; errors?: unknown } {
	return body.kind === 'json' && typeof body.value === 'object' && body.value !== null
		? body.value
		: {};
}

/** The message that the API put into its error body, or '' where the body is not the API's. */
export function apiMessage(reply: Reply, excerpt: Excerpt): string {
	const { message } = errorBody(reply);
	return typeof message === 'string' ? excerpt(message, MAX_MESSAGE) : '';
}

/** Status and name: `503 Service Unavailable`. */
function statusLine({ status }: Reply): string {
	return STATUS_NAMES[status] ? `${status} ${STATUS_NAMES[status]}` : String(status);
}

/** One clause that says what the service answered: the API's own words, or what came in their place. */
export function describeReply(reply: Reply, excerpt: Excerpt): string {
	const message = apiMessage(reply, excerpt);
	if (message !== '') return `${message} (${reply.status})`;
	return `the service answered ${statusLine(reply)} with ${describeBody(reply, excerpt)}`;
}

/** What a body that is not the API's is, for a message: "an HTML page titled …", "no body". */
function describeBody({ body }: Reply, excerpt: Excerpt): string {
	switch (body.kind) {
		case 'empty':
			return 'no body';
		case 'html':
			return body.title === '' ? 'an HTML page' : `an HTML page titled "${excerpt(body.title, 100)}"`;
		case 'text':
			return beginsLikeJson(body.text)
				? 'JSON that is cut off or damaged'
				: `the text "${excerpt(body.text, 100)}"`;
		case 'tooLarge':
			return `a body of more than ${body.limit}, the most that is read`;
		case 'json':
			return isDeeperThan(MAX_JSON_DEPTH, body.value)
				? `JSON nested more than ${MAX_JSON_DEPTH} levels deep, the most that is accepted`
				: 'JSON that is not in the API\'s error format';
	}
}
