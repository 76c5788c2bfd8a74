import type { OutgoingHttpHeaders } from 'node:http';

import type { FastifyInstance, HTTPMethods } from 'fastify';
import { z } from 'zod';

import { ApiError } from '../apiError';
import { integer, isObject, oneOf, problemIn, shown, text } from '../faults/describe';
import { parseFaultParameters, parseFaultPlan } from '../faults/parsePlan';
import { parseJson, readBody } from '../requestBody';
import type { SandboxCore } from '../sandbox';
import type { Gateway } from '../store/types';
import { EventStreams } from './events';
import { withoutSecrets } from './redact';

/** Everything below this path controls or shows the sandbox and is not part of the API. */
export const CONTROL_PREFIX = '/_sandbox/';

/** An id is shown whole. */
const MAX_ID_LENGTH = 100;

const idSchema = z.object({ id: z.string().regex(/\S/).max(MAX_ID_LENGTH).describe(`a string of at most ${MAX_ID_LENGTH} characters that is not blank`) });

/** The fields of a gateway that the API describes; it may have others. */
const gatewaySchema = idSchema.extend({
	name: text,
	type: oneOf('elastic-sip-trunk', 'pbx', 'carrier'),
	organizationId: integer(0),
	terminationUri: z.string().nullable().describe('a string or null').optional(),
});

/** Returns what is sent as JSON; nothing is a 204. `name` is what stands in the place of the braces. */
type ControlHandler = (core: SandboxCore, body: unknown, name: string) => unknown;

const EVENTS = 'GET /_sandbox/events';

const HANDLERS: Record<string, ControlHandler> = {
	'GET /_sandbox/': () => ({ paths: Object.keys(HANDLERS) }),
	'GET /_sandbox/health': () => ({ status: 'ok' }),
	'GET /_sandbox/state': (core) => core.state(),
	'GET /_sandbox/requests': (core) => core.requests(),
	'GET /_sandbox/requests/{id}': (core, _body, id) => {
		const request = core.request(Number(id));
		if (!request) throw new ApiError(404, 'The request is not kept', `No request that is kept has the id ${id}`);
		return request;
	},
	// answered by a stream
	[EVENTS]: () => undefined,
	'POST /_sandbox/reset': (core) => core.reset(),
	'POST /_sandbox/expire-tokens': (core) => core.expireTokens(),
	'GET /_sandbox/faults': (core) => core.faults(),
	'PUT /_sandbox/faults': (core, body) => {
		core.setFaults(parseFaultPlan(body));
		return core.faults();
	},
	'PUT /_sandbox/faults/{fault}': (core, body, fault) => {
		core.switchFault(fault, parseFaultParameters(body));
		return core.faults();
	},
	'DELETE /_sandbox/faults/{fault}': (core, _body, fault) => {
		core.switchFault(fault, undefined);
		return core.faults();
	},
	'PUT /_sandbox/gateways': (core, body) => core.putGateway(checkedGateway(body, gatewaySchema)),
	'DELETE /_sandbox/gateways': (core, body) => core.removeGateway(checkedGateway(body, idSchema).id),
};

/** Adds the control paths. */
export function addControlRoutes(app: FastifyInstance, core: SandboxCore): void {
	// The body is read below: Fastify would end the connection where it can't be.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', async (_request: unknown, payload: unknown) => payload);
	const streams = new EventStreams(core);
	for (const [route, handle] of Object.entries(HANDLERS)) {
		const [method, path = ''] = route.split(' ') as [HTTPMethods, string];
		app.route<{ Params: Record<string, string> }>({
			method,
			url: path.replace(/\{\w+\}/, ':name'),
			handler: async ({ raw, params }, reply) => {
				const buffer = await readBody(raw);
				// who only sets something off may send anything
				const body = method === 'POST' || buffer.length === 0 ? undefined : parseJson(buffer.toString('utf8'));
				if (route === EVENTS) {
					streams.begin(reply.raw, reply.getHeaders() as OutgoingHttpHeaders);
					return reply.hijack();
				}
				const result = handle(core, body, params.name ?? '');
				if (result === undefined) return await reply.code(204).send();
				return await reply.type('application/json; charset=utf-8').send(withoutSecrets(JSON.stringify(result)));
			},
		});
	}
	app.setNotFoundHandler(({ method, url }) => {
		throw noSuchPath(method, url);
	});
}

/** The 404 for a path that begins with CONTROL_PREFIX and is none. */
export function noSuchPath(method: string, url: string): ApiError {
	return new ApiError(404, 'There is no such control path', { asked: `${method} ${url.split('?', 1)[0]}`, paths: Object.keys(HANDLERS) });
}

function checkedGateway(value: unknown, schema: z.AnyZodObject): Gateway {
	const problem = isObject(value) ? problemIn(value, schema) : `${shown(value)} was given; expected an object with ${Object.keys(schema.shape).join(', ')}`;
	if (problem !== undefined) throw new ApiError(400, 'The gateway is not valid', problem);
	// checked; any further fields are kept
	return value as unknown as Gateway;
}
