import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { ApiError } from '../apiError';
import { integer, isObject, oneOf, problemIn, shown, text } from '../faults/describe';
import { parseFaultParameters, parseFaultPlan } from '../faults/parsePlan';
import { parseJson } from '../requestBody';
import type { SandboxCore } from '../sandbox';
import type { Gateway } from '../store/types';
import { withoutSecrets } from './redact';
import { snapshotOf } from './snapshot';

/** Everything below this path controls or shows the sandbox and is not part of the API. */
export const CONTROL_PREFIX = '/_sandbox';

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

/** Adds the control paths, below CONTROL_PREFIX. */
export function addControlRoutes(app: FastifyInstance, core: SandboxCore): void {
	app.addHook('onSend', async (_request, _reply, payload) => (typeof payload === 'string' ? withoutSecrets(payload) : payload));
	app.setNotFoundHandler(({ method, url }) => {
		throw new ApiError(404, 'There is no such control path', `Nothing answers ${method} ${url.split('?', 1)[0]}`);
	});

	app.get('/health', async () => ({ status: 'ok' }));
	app.get('/state', async () => core.state());
	app.get('/requests', async () => core.requests());
	app.get<{ Params: { id: string } }>('/requests/:id', async ({ params: { id } }) => {
		const request = core.request(Number(id));
		if (!request) throw new ApiError(404, 'The request is not kept', `No request that is kept has the id ${id}`);
		return request;
	});
	app.get('/snapshot', async () => snapshotOf(core));
	app.post('/reset', async (_request, reply) => {
		reply.code(204);
		core.reset();
	});
	app.post('/expire-tokens', async (_request, reply) => {
		reply.code(204);
		core.expireTokens();
	});

	app.get('/faults', async () => core.faults());
	app.put('/faults', async ({ body }) => {
		core.setFaults(parseFaultPlan(jsonIn(body)));
		return core.faults();
	});
	app.put<{ Params: { fault: string } }>('/faults/:fault', async ({ params: { fault }, body }) => {
		core.switchFault(fault, parseFaultParameters(jsonIn(body)));
		return core.faults();
	});
	app.delete<{ Params: { fault: string } }>('/faults/:fault', async ({ params: { fault } }) => {
		core.switchFault(fault, undefined);
		return core.faults();
	});

	app.put('/gateways', async ({ body }, reply) => {
		reply.code(204);
		core.putGateway(checkedGateway(jsonIn(body), gatewaySchema));
	});
	app.delete('/gateways', async ({ body }, reply) => {
		reply.code(204);
		core.removeGateway(checkedGateway(jsonIn(body), idSchema).id);
	});
}

/** The JSON in the body of a control path, whatever its content type, as `curl -d` sends that of a form; undefined without a body. */
const jsonIn = (body: unknown) => (Buffer.isBuffer(body) && body.length > 0 ? parseJson(body.toString('utf8')) : undefined);

function checkedGateway(value: unknown, schema: z.AnyZodObject): Gateway {
	const problem = isObject(value) ? problemIn(value, schema) : `${shown(value)} was given; expected an object with ${Object.keys(schema.shape).join(', ')}`;
	if (problem !== undefined) throw new ApiError(400, 'The gateway is not valid', problem);
	// checked; any further fields are kept
	return value as unknown as Gateway;
}
