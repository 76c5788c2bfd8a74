import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenAPIBackend, Request } from 'openapi-backend';

import { ApiError, createValidationError, type Reply, serializeBody } from './apiError';
import { assertOwnOrigin } from './control/originGuard';
import { addPages, isPage, SECURITY_HEADERS } from './control/pages';
import { addControlRoutes } from './control/controlRoutes';
import { Outage } from './faults/outage';
import { loadApi } from './openApi';
import type { SandboxState } from './state';
import { hideSecrets } from './store/requestLog';

/** Longer than clients keep idle connections, so that the sandbox never closes one first. */
const KEEP_ALIVE_MS = 120_000;
/** Much more than an operation needs. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Creates the server. Whatever is neither a page nor a control path is a request to the API. @param host the address to listen on */
export async function createApp(state: SandboxState, host: string): Promise<FastifyInstance> {
	const api = await loadApi();
	const app = fastify({
		keepAliveTimeout: KEEP_ALIVE_MS,
		bodyLimit: MAX_BODY_BYTES,
		forceCloseConnections: true,
		// e.g. a path that can't be decoded
		frameworkErrors: ({ message }, _request, reply) =>
			void send(reply, createValidationError({ field: 'path', message }).reply),
	});
	app.setErrorHandler(sendError);
	const outage = new Outage(app.server);
	app.addHook('preClose', async () => await outage.cancel());
	app.removeAllContentTypeParsers();
	app.register(async (sandboxScope) => {
		sandboxScope.addHook('onRequest', async ({ headers, url }, reply) => {
			reply.headers(SECURITY_HEADERS);
			assertOwnOrigin(headers, host, isPage(pathOf(url)));
		});
		addPages(sandboxScope);
		sandboxScope.register(async (controlScope) => addControlRoutes(controlScope, state), { prefix: '/_sandbox' });
	});

	app.register(async (apiScope) => {
		// as text: it depends on the operation which content type is accepted
		apiScope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: unknown) => body);
		apiScope.setNotFoundHandler(async (request, reply) => {
			const { origin, 'sec-fetch-site': site } = request.headers;
			// Programs send neither header, and may use a host name that is forbidden to pages.
			if (origin !== undefined || site !== undefined) assertOwnOrigin(request.headers, host, false);
			return await handleApiRequest(state, api, outage, request, reply);
		});
	});
	return app;
}

/** Handles a request to the API: logs it, injects faults, responds. */
async function handleApiRequest(
	state: SandboxState,
	api: OpenAPIBackend,
	outage: Outage,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { method, url, headers } = request;
	const body = (request.body as string | undefined) ?? '';
	const { raw: response } = reply;
	const path = pathOf(url);
	// openapi-backend would parse brackets in a name, such as `filter[status]`, as an object.
	const parameters = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
	const valuesOf = (name: string) => parameters.getAll(name);
	const query = Object.fromEntries(
		[...parameters.keys()].map((name) => [name, valuesOf(name).length > 1 ? valuesOf(name) : valuesOf(name)[0]]),
	);
	const apiRequest = { method, path: url, headers, body, query } as Request;
	const operationId = api.matchOperation(apiRequest)?.operationId;
	const finishLogEntry = state.requestLog.startRequest(method, url, operationId);
	let outcome: Reply | 'reset' | undefined = undefined;
	let fault: string | undefined = undefined;
	response.once('close', () => {
		const status = outcome === 'reset' ? outcome : response.writableFinished ? response.statusCode : 'aborted';
		const entry = finishLogEntry(status, fault, body, typeof outcome === 'object' ? serializeBody(outcome) : '');
		state.options.log?.(
			`${method} ${entry.path} ${status} ${entry.milliseconds} ms${fault === undefined ? '' : ` (fault: ${fault})`}`,
		);
	});

	const { delayMs, injection } = state.faultInjector.draw(method, path, body);
	if (injection?.outageMs) outage.start(injection.outageMs);
	const apiReply = !injection || injection.processed ? await processRequest(api, apiRequest, state) : { status: 200 };
	// unless the client disconnects first
	if (delayMs > 0 && !response.destroyed)
		await Promise.race([setTimeout(delayMs, undefined, { ref: false }), once(response, 'close')]);
	await outage.stopPromise;
	if (response.destroyed) return reply.hijack();
	fault = injection?.fault;
	outcome = injection?.reply ?? apiReply;
	if (outcome !== 'reset') return send(reply, outcome);
	// so that the client gets ECONNRESET and not a clean end
	request.raw.socket.resetAndDestroy();
	return reply.hijack();
}

/** Processes a request as openapi.yaml and operations.ts say. */
async function processRequest(api: OpenAPIBackend, request: Request, state: SandboxState): Promise<Reply> {
	try {
		return (await api.handleRequest(request, state, request)) as Reply;
	} catch (error) {
		if (error instanceof ApiError) return error.reply;
		throw error;
	}
}

/** Sends a response. While the sandbox doesn't listen, it also closes the connection. */
const send = (reply: FastifyReply, { status, headers = {}, body }: Reply) =>
	reply
		.code(status)
		.headers(reply.server.server.listening ? headers : { ...headers, Connection: 'close' })
		.send(body);

/** Turns an error into a response. */
function sendError(error: FastifyError | Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
	if (error instanceof ApiError) return send(reply, error.reply);
	// of Fastify
	const { statusCode = 500 } = error as FastifyError;
	if (statusCode < 500) return send(reply, new ApiError(statusCode, 'The request is not valid', error.message).reply);
	// the message may quote the request
	console.error(`Internal error of the sandbox: ${hideSecrets(String(error.stack))}`);
	const details = 'See the standard error output of the sandbox';
	return send(reply, new ApiError(500, 'Internal error of the sandbox', details).reply);
}

const pathOf = (url: string) => url.split('?', 1)[0]!;
