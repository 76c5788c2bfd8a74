import { STATUS_CODES } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenAPIBackend } from 'openapi-backend';

import { ApiError } from './apiError';
import type { Reply } from './apiError';
import { guarded, logInternalError, onEnd } from './control/internalError';
import { assertOwnOrigin } from './control/originGuard';
import { addPages, isPage, SECURITY_HEADERS } from './control/pages';
import { bodyWithoutSecrets } from './control/redact';
import { addControlRoutes, CONTROL_PREFIX, noSuchPath } from './control/routes';
import { injectionOf } from './faults/inject';
import { FaultPlanError } from './faults/parsePlan';
import { answerApi, loadApi, operationOf } from './openApi';
import { readBody } from './requestBody';
import type { SandboxCore } from './sandbox';
import type { LoggedBodies } from './store/requestLog';

/** Idle connections are kept longer than by the clients, so that it is never the sandbox which ends one first. */
const KEEP_ALIVE_MS = 120_000;
/** As by Node; Fastify's default is none. */
const REQUEST_TIMEOUT_MS = 300_000;

const MAX_BODY_LENGTH = 10_000;

interface Settings {
	/** Host that the server is to listen on. */
	host: string;
	/** Called with one line for each request of the API once it has ended. */
	log?: (line: string) => void;
}

/** The server: what is no page and no control path is a request of the API, which openapi.yaml routes. */
export async function createApp(core: SandboxCore, { host, log }: Settings): Promise<FastifyInstance> {
	const api = await loadApi();

	const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
		const { method, path } = partsOf(request);
		if (isApi(request)) {
			// A program sends neither; the API's own clients may reach this machine by a name that a page may not.
			const { origin, 'sec-fetch-site': site } = request.headers;
			if (origin !== undefined || site !== undefined) assertOwnOrigin(request.headers, host, false);
			return await exchange(core, api, request, reply, log);
		}
		reply.headers(SECURITY_HEADERS);
		// `curl -d` sends that of a form, others none or nonsense
		delete request.raw.headers['content-type'];
		assertOwnOrigin(request.headers, host, isPage(method, path));
	};
	const app = fastify({
		keepAliveTimeout: KEEP_ALIVE_MS,
		requestTimeout: REQUEST_TIMEOUT_MS,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		// As Node does it. Fastify's own has a body in a form of its own.
		clientErrorHandler: (error, socket) => {
			const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code] ?? 400;
			if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
		},
		// A path that cannot be decoded never gets to a hook.
		frameworkErrors: (_error, request, reply) => {
			onRequest(request, reply)
				.then(() => reply.sent || sendError(noSuchPath(request.method, request.url), request, reply))
				.catch((error) => sendError(error, request, reply));
		},
	});
	app.addHook('onRequest', onRequest);
	app.setErrorHandler(sendError);
	addPages(app);
	addControlRoutes(app, core);
	return app;
}

/** Takes a request of the API from its arrival to the end of its reply, with its faults. */
async function exchange(core: SandboxCore, api: OpenAPIBackend, request: FastifyRequest, reply: FastifyReply, log: Settings['log']): Promise<FastifyReply> {
	const { method, url, path } = partsOf(request);
	const { raw: response } = reply;
	const operationId = operationOf(api, method, path)?.operationId;
	const end = core.log.begin(method, url, operationId);
	const limited = core.rateLimitError();
	const outcome: { fault?: string; isReset?: boolean; requestBody: string; responseBody: string } = { requestBody: '', responseBody: '' };
	onEnd(response, guarded('the end of a request', () => {
		const { fault, isReset, requestBody, responseBody } = outcome;
		const status = isReset ? 'reset' : response.writableFinished ? response.statusCode : 'aborted';
		const logged = end(status, fault, bodiesOf({ requestBody, responseBody }));
		log?.(`${method} ${logged.path} ${status} ${logged.milliseconds} ms${fault === undefined ? '' : ` (fault: ${fault})`}`);
	}));

	const body = await readBody(request.raw).catch(asApiError);
	const text = body instanceof ApiError ? '' : body.toString('utf8');
	outcome.requestBody = text;
	const { delayMs, fault } = limited ? { delayMs: 0, fault: undefined } : core.drawFault(method, path, text);
	const injection = fault && injectionOf(fault);
	const isProcessed = !limited && injection?.processes !== false;
	const answered = isProcessed ? await answerApi(api, core, { method, path: url, headers: request.headers, body }).catch(asApiError) : limited;
	const processed = answered instanceof ApiError ? core.errorReply(answered, operationId) : answered;
	if (delayMs > 0) await delay(delayMs, reply);
	if (response.destroyed) return reply.hijack();
	outcome.fault = fault?.fault;
	const sent = injection ? injection.replace(processed) : (processed as Reply);
	if (sent === 'reset') {
		outcome.isReset = true;
		// the client sees ECONNRESET and not a clean end
		request.raw.socket.resetAndDestroy();
		return reply.hijack();
	}
	outcome.responseBody = textOf(sent) ?? '';
	return send(reply, sent);
}

/** Sends the reply, in one of its three forms. */
function send(reply: FastifyReply, sent: Reply): FastifyReply {
	const { status, headers = {}, body, raw } = sent;
	if (raw instanceof Readable) {
		// Fastify would go on with the request while the stream is sent
		pipeline(raw, reply.raw.writeHead(status, headers), () => {});
		return reply.hijack();
	}
	if (body !== undefined) reply.type('application/json; charset=utf-8');
	return reply.code(status).headers(headers).send(raw ?? textOf(sent));
}

function textOf({ body, raw }: Reply): string | undefined {
	if (typeof raw === 'string' || Buffer.isBuffer(raw)) return raw.toString();
	return body === undefined ? undefined : JSON.stringify(body);
}

/** The one place where an error becomes a reply. */
function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
	if (error instanceof ApiError) return send(reply, error.reply);
	if (error instanceof FaultPlanError) return send(reply, new ApiError(400, 'The faults are not valid', error.message).reply);
	// Fastify's own
	const { statusCode = 500 } = error as FastifyError;
	if (statusCode < 500) return send(reply, new ApiError(statusCode, 'The request is not valid', error.message).reply);
	// The client has broken the connection while its body was read: nobody is left to answer.
	if (!request.raw.errored) logInternalError(isApi(request) ? 'a request of the API' : 'a request for a page or a control path', error);
	if (!request.raw.errored && !reply.raw.headersSent) return send(reply, new ApiError(500, 'Internal error of the sandbox', 'See the standard error output of the sandbox').reply);
	reply.raw.destroy();
	return reply.hijack();
}

function partsOf({ raw: { method = 'GET', url = '/' } }: FastifyRequest): { method: string; url: string; path: string } {
	return { method, url, path: url.split('?', 1)[0] ?? '/' };
}

function isApi(request: FastifyRequest): boolean {
	const { method, path } = partsOf(request);
	return !path.startsWith(CONTROL_PREFIX) && !isPage(method, path);
}

/** @throws unless the error is one of the API */
function asApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	throw error;
}

function bodiesOf(given: Record<'requestBody' | 'responseBody', string>): LoggedBodies {
	const bodies = Object.entries(given).flatMap(([name, body]) => (body === '' ? [] : [[name, bodyWithoutSecrets(body)] as const]));
	return {
		// by a Buffer: a slice would keep the whole text in memory
		...Object.fromEntries(bodies.map(([name, text]) => [name, Buffer.from(text.slice(0, MAX_BODY_LENGTH)).toString()])),
		...(bodies.some(([, text]) => text.length > MAX_BODY_LENGTH) && { truncated: true }),
	};
}

/** Waits, but no longer than the client does. */
async function delay(milliseconds: number, { raw: response }: FastifyReply): Promise<void> {
	if (response.destroyed) return;
	const gone = new AbortController();
	onEnd(response, () => gone.abort());
	await setTimeout(milliseconds, undefined, { signal: gone.signal }).catch(() => {});
}
