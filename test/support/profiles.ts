/** A status, a body, what a client should show of it, and headers. */
export type Answer = [status: number, body: object | string, words: string | RegExp, headers?: Record<string, string>];

/** How a kind of service answers where the API's document leaves it open: a family of frameworks or servers each. */
export interface Profile {
	name: string;
	/** A login with a key that is not known. */
	badKey: Answer;
	/** A request without a valid token. */
	expired: Answer;
	/** A request for which the key lacks the permission. */
	forbidden: Answer;
	badRequest: Answer;
	/** Of all answers that are errors; JSON by default. */
	contentType?: string;
	/** Beside the token. */
	login?: object;
}

const api = (status: number, name: string, message: string, errors: unknown = ''): Answer =>
	[status, { status: name, message, errors }, message];
const problem = (status: number, title: string, detail: string): Answer =>
	[status, { type: 'about:blank', title, status, detail, instance: '/v1' }, detail];
const oauth = (status: number, error: string, description: string): Answer =>
	[status, { error, error_description: description }, description];
const page = (status: number, title: string): Answer => [
	status,
	`<!DOCTYPE html><html><head><title>${title}</title></head></html>`,
	new RegExp(`answered ${status} with an HTML page titled "${title}"\\. It probably comes from something in front of the API`),
	{ 'content-type': 'text/html' },
];

/** A new one is one entry: the tests run every operation against it. */
const BY_NAME: Record<string, Omit<Profile, 'name'>> = {
	documented: {
		badKey: api(403, 'Forbidden', 'Unknown API key'),
		expired: api(403, 'Forbidden', 'Token expired'),
		forbidden: api(403, 'Forbidden', 'Insufficient permissions'),
		badRequest: api(400, 'Bad Request', 'Invalid parameters', ['iso is unknown']),
	},
	'asp-net': {
		contentType: 'application/problem+json; charset=utf-8',
		badKey: problem(401, 'Unauthorized', 'The client is not registered.'),
		expired: [401, '', /./],
		forbidden: [403, '', 'The service answered 403 with no body'],
		badRequest: [
			400,
			{ title: 'One or more validation errors occurred.', status: 400, errors: { iso: ['The iso field is required.'] } },
			'One or more validation errors occurred.',
		],
	},
	oauth: {
		login: { token_type: 'Bearer', expires_in: 3_600 },
		badKey: oauth(400, 'invalid_client', 'Client authentication failed'),
		expired: oauth(401, 'invalid_token', 'The access token expired'),
		forbidden: oauth(403, 'insufficient_scope', 'The scope voice:write is required'),
		badRequest: oauth(400, 'invalid_request', 'iso is missing'),
	},
	firewall: {
		contentType: 'text/html',
		badKey: page(403, 'Request blocked'),
		expired: [302, '', /./, { location: '/login' }],
		forbidden: page(403, 'Request blocked'),
		badRequest: page(400, '400 Bad Request'),
	},
	'rfc-9457': {
		contentType: 'application/problem+json; charset=iso-8859-1',
		badKey: problem(401, 'Unauthorized', 'déjà vu'),
		expired: problem(440, 'Expired', 'café'),
		forbidden: problem(403, 'Forbidden', 'déjà vu'),
		badRequest: problem(400, 'Bad Request', 'naïve'),
	},
};

export const PROFILES: Profile[] = Object.entries(BY_NAME).map(([name, profile]) => ({ name, ...profile }));

/** An answer as bytes, in the profile's charset. */
export function encoded({ contentType = 'application/json' }: Profile, [status, body, , own]: Answer) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const headers: Record<string, string> = { 'content-type': contentType, ...own };
	return { status, headers, body: Buffer.from(text, contentType.includes('8859-1') ? 'latin1' : 'utf8') };
}
