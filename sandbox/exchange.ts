import type { IncomingMessage, ServerResponse } from 'node:http';

import { ApiError } from './apiError';
import { answerControl, CONTROL_PREFIX, EVENTS_PATH } from './control';
import { strikeOf } from './faults/strike';
import { refuseForeign } from './foreign';
import { guarded, logInternalError } from './internalError';
import { MOST_WATCHERS, streamEvents } from './live/events';
import { withoutSecrets } from './live/withoutSecrets';
import { parseBody, readBody } from './requestBody';
import { replyOf, send } from './reply';
import type { Reply } from './reply';
import type { LoggedRequest } from './requestLog';
import type { SandboxCore } from './sandbox';
import { isSiteFile, sendSiteFile } from './siteFiles';

/** What an exchange has to know of the server that it is part of. */
export interface Surroundings {
	/** Host that the server was told to listen on. */
	host: string;
	/** Told of each request of the API once it has ended. */
	report: (request: LoggedRequest) => void;
}

/** Takes one HTTP request from its arrival to the end of its reply. Never rejects: nothing may end the process. */
export async function exchange(core: SandboxCore, request: IncomingMessage, response: ServerResponse, { host, report }: Surroundings): Promise<void> {
	const { method = 'GET', url = '/' } = request;
	const [path = '/'] = url.split('?', 1);
	const isApi = !path.startsWith(CONTROL_PREFIX) && !isSiteFile(method, path);
	try {
		if (isApi) await answerApi(core, request, response, { method, url, path, report });
		else await answerOwn(core, request, response, { method, path, host });
	} catch (error) {
		answerError(request, response, error, isApi ? 'a request of the API' : 'a request for a page or a control path');
	}
}

/** Answers a request whose answer has failed. */
function answerError(request: IncomingMessage, response: ServerResponse, error: unknown, during: string): void {
	if (error instanceof ApiError) {
		send(response, replyOf(error));
		return;
	}
	// The client has broken the connection while its body was read: nobody is left to answer.
	if (!request.errored) logInternalError(during, error);
	if (request.errored || response.headersSent) response.destroy();
	else send(response, replyOf(new ApiError(500, 'Internal error of the sandbox', 'See the standard error output of the sandbox')));
}

/** Answers a request of the API, with its faults. */
async function answerApi(
	core: SandboxCore,
	request: IncomingMessage,
	response: ServerResponse,
	{ method, url, path, report }: { method: string; url: string; path: string } & Pick<Surroundings, 'report'>,
): Promise<void> {
	const operationId = core.api.operationOf(method, path);
	const open = core.log.begin(method, url, operationId);
	const limited = core.refuseTooEarly();
	let struck: string | undefined = undefined;
	response.once('close', guarded('the end of a request', () => {
		const broken = struck === 'resetBefore' || struck === 'resetAfter';
		const status = broken ? 'reset' : response.writableFinished ? response.statusCode : 'aborted';
		report(core.log.end(open, status, struck));
	}));

	const body = await bodyOf(request);
	const text = body instanceof ApiError ? '' : body.toString('utf8');
	const { delayMs, fault } = limited ? { delayMs: 0, fault: undefined } : core.drawFault(method, path, text);
	const strike = fault && strikeOf(fault);
	const processed = limited === undefined && (strike?.processes ?? true);
	const reply = processed ? await replyTo(core, request, operationId, body) : undefined;
	if (delayMs > 0) await delay(delayMs, response);
	if (response.destroyed) return;
	struck = fault?.fault;
	if (strike) strike.strike(response, reply);
	else send(response, limited ? replyOf(limited) : (reply as Reply));
}

/** Answers what is not the API: the sandbox's pages, its events and its control paths. */
async function answerOwn(
	core: SandboxCore,
	request: IncomingMessage,
	response: ServerResponse,
	{ method, path, host }: { method: string; path: string; host: string },
): Promise<void> {
	const isPage = isSiteFile(method, path);
	const body = await readBody(request);
	refuseForeign(request, host, isPage);
	if (isPage) await sendSiteFile(response, method, path);
	else if (method === 'GET' && path === EVENTS_PATH && core.changes.watcherCount < MOST_WATCHERS) streamEvents(core, response);
	else send(response, answerControl(core, method, path, body), (json) => withoutSecrets(json, core.service.clients));
}

/** The API's reply to the request, its refusals included. */
async function replyTo(
	core: SandboxCore,
	request: IncomingMessage,
	operationId: string | undefined,
	body: Buffer | ApiError,
): Promise<Reply> {
	const accepted = operationId === undefined ? [] : core.api.contentTypesOf(operationId);
	const parsed = body instanceof ApiError ? { body: undefined, bodyRefusal: body } : parsedBody(body, request, accepted);
	const authorization = request.headers[core.authHeaderName.toLowerCase()];
	try {
		return await core.api.answer(
			{
				method: request.method ?? 'GET',
				path: request.url ?? '/',
				headers: request.headers,
				authorization: Array.isArray(authorization) ? authorization[0] : authorization,
				...parsed,
			},
			core.service,
		);
	} catch (error) {
		if (error instanceof ApiError) return replyOf(error);
		throw error;
	}
}

/** The whole body, or why it is refused. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | ApiError> {
	try {
		return await readBody(request);
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}

function parsedBody(body: Buffer, request: IncomingMessage, accepted: string[]): { body: unknown; bodyRefusal?: ApiError } {
	try {
		return { body: parseBody(body, request.headers['content-type'], accepted) };
	} catch (error) {
		if (error instanceof ApiError) return { body: undefined, bodyRefusal: error };
		throw error;
	}
}

/** Waits, but no longer than the client does. */
async function delay(milliseconds: number, response: ServerResponse): Promise<void> {
	if (response.destroyed) return;
	await new Promise<void>((resolve) => {
		const timer = setTimeout(done, milliseconds);
		response.once('close', done);
		function done() {
			clearTimeout(timer);
			response.off('close', done);
			resolve();
		}
	});
}
