import { pipeline, Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenAPIBackend } from 'openapi-backend';

import { ApiError } from './apiError';
import type { Reply } from './apiError';
import { assertOwnOrigin } from './control/originGuard';
import { addPages, isPage, SECURITY_HEADERS } from './control/pages';
import { bodyWithoutSecrets, withoutSecrets } from './control/redact';
import { addControlRoutes, CONTROL_PREFIX } from './control/routes';
import { injectionOf } from './faults/inject';
import { FaultPlanError } from './faults/parsePlan';
import { answerApi, isDecodable, loadApi, operationOf } from './openApi';
import type { SandboxCore } from './sandbox';
import type { LoggedBodies } from './store/requestLog';

/** Idle connections are kept longer than by the clients, so that it is never the sandbox which ends one first. */
const KEEP_ALIVE_MS = 120_000;
/** As by Node; Fastify's default is none. */
const REQUEST_TIMEOUT_MS = 300_000;
/** What is read of a body, more than is accepted: a client that still sends would not read that its body is too large. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Of a body in the log. */
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
	const app = fastify({
		keepAliveTimeout: KEEP_ALIVE_MS,
		requestTimeout: REQUEST_TIMEOUT_MS,
		bodyLimit: MAX_READ_BYTES,
		forceCloseConnections: true,
		// Fastify routes no path that can't be decoded; the API answers it, too.
		rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : '/undecodable'),
	});
	// As bytes: what a body has to be is for the operation to say.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: unknown) => body);
	app.setErrorHandler(sendError);

	app.register(async (own) => {
		own.addHook('onRequest', async ({ raw, headers, url }, reply) => {
			reply.headers(SECURITY_HEADERS);
			assertOwnOrigin(headers, host, isPage(pathOf(url)));
			// It may be nonsense, and all bodies are JSON.
			delete raw.headers['content-type'];
		});
		addPages(own);
		own.register(async (control) => addControlRoutes(control, core), { prefix: CONTROL_PREFIX });
	});
	app.setNotFoundHandler(async (request, reply) => {
		const { origin, 'sec-fetch-site': site } = request.headers;
		// Programs send neither, and may reach this machine by a name that a page may not.
		if (origin !== undefined || site !== undefined) assertOwnOrigin(request.headers, host, false);
		return await exchange(core, api, request, reply, log);
	});
	return app;
}

/** Takes a request of the API from its arrival to the end of its reply, with its faults. */
async function exchange(core: SandboxCore, api: OpenAPIBackend, request: FastifyRequest, reply: FastifyReply, log: Settings['log']): Promise<FastifyReply> {
	const { method, originalUrl: url, headers, body = Buffer.alloc(0) } = request as FastifyRequest<{ Body: Buffer | undefined }>;
	const { raw: response } = reply;
	const path = pathOf(url);
	const text = body.toString('utf8');
	const operationId = operationOf(api, method, path)?.operationId;
	const end = core.log.begin(method, url, operationId);
	const outcome: { fault?: string; isReset?: boolean; responseBody: string } = { responseBody: '' };
	response.once('close', () => {
		const { fault, isReset, responseBody } = outcome;
		const status = isReset ? 'reset' : response.writableFinished ? response.statusCode : 'aborted';
		const logged = end(status, fault, bodiesOf({ requestBody: text, responseBody }));
		log?.(`${method} ${logged.path} ${status} ${logged.milliseconds} ms${fault === undefined ? '' : ` (fault: ${fault})`}`);
	});

	const limited = core.rateLimitError();
	const { delayMs, fault } = limited ? { delayMs: 0, fault: undefined } : core.drawFault(method, path, text);
	const injection = fault && injectionOf(fault);
	const isProcessed = !limited && injection?.processes !== false;
	const answered = isProcessed ? await answerApi(api, core, { method, path: url, headers, body }).catch(asApiError) : limited;
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
function sendError(error: FastifyError | Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
	if (error instanceof ApiError) return send(reply, error.reply);
	if (error instanceof FaultPlanError) return send(reply, new ApiError(400, 'The faults are not valid', error.message).reply);
	// Fastify's own
	const { statusCode = 500 } = error as FastifyError;
	if (statusCode < 500) return send(reply, new ApiError(statusCode, 'The request is not valid', error.message).reply);
	// the message may quote what a client has sent
	console.error(`Internal error of the sandbox: ${withoutSecrets(String(error.stack))}`);
	return send(reply, new ApiError(500, 'Internal error of the sandbox', 'See the standard error output of the sandbox').reply);
}

const pathOf = (url: string) => url.split('?', 1)[0]!;

/** @throws unless the error is one of the API */
function asApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	throw error;
}

/** Bodies for the log, those that are not empty, without secrets and cut where they are long. */
function bodiesOf(given: Record<'requestBody' | 'responseBody', string>): LoggedBodies {
	const bodies = Object.entries(given).filter(([, body]) => body !== '');
	// by a Buffer: a slice would keep the whole text in memory
	return Object.fromEntries(bodies.map(([name, body]) => [name, Buffer.from(cut(bodyWithoutSecrets(body))).toString()]));
}

const cut = (text: string) => (text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)}…` : text);

/** Waits, but no longer than the client does. */
async function delay(milliseconds: number, { raw: response }: FastifyReply): Promise<void> {
	if (response.destroyed) return;
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	await setTimeout(milliseconds, undefined, { signal: gone.signal }).catch(() => {});
}
