import type { FastifyInstance } from 'fastify';

import { ApiError, validate } from '../apiError';
import { FAULT_KINDS, type FaultRule } from '../faults/rules';
import type { State } from '../state';
import { gatewaySchema } from '../store/seed';

/** The page shows only the latest; a run may create thousands. */
const MAX_REQUESTS = 200;
const MAX_CUSTOMERS = 100;

/** Everything that the page shows. */
export type Snapshot = ReturnType<typeof snapshotOf>;

/** Adds the paths that control the sandbox and aren't part of the API. */
export function addControlRoutes(app: FastifyInstance, state: State): void {
	// Whatever the content type: `curl -d` sends that of a form.
	const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
	app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, body, done) =>
		body === '' ? done(null) : parseJson(request, body, done),
	);
	app.setNotFoundHandler(({ method, url }) => {
		throw new ApiError(404, 'There is no such control path', `There is no ${method} ${url.split('?', 1)[0]}`);
	});

	app.get('/health', async () => ({ status: 'ok' }));
	app.get('/snapshot', async () => snapshotOf(state));
	app.get<{ Params: { id: string } }>('/requests/:id', async ({ params: { id } }) => {
		const request = state.log.find(Number(id));
		if (!request) throw new ApiError(404, 'The request is not kept', `No request that is kept has the id ${id}`);
		return request;
	});
	app.get('/faults', async () => state.faults());
	app.put<{ Body: FaultRule[] }>('/faults', async ({ body }) => {
		state.setFaults(body);
		return state.faults();
	});
	app.post('/reset', async (_request, reply) => {
		state.reset();
		return reply.code(204).send();
	});
	app.put('/gateways', async ({ body }, reply) => {
		state.putGateway(validate(gatewaySchema, body));
		return reply.code(204).send();
	});
	app.delete('/gateways', async ({ body }, reply) => {
		state.removeGateway(validate(gatewaySchema.pick({ id: true }), body).id);
		return reply.code(204).send();
	});
}

function snapshotOf(state: State) {
	const { customers } = state.stored;
	return {
		...state.stored,
		customers: customers.slice(-MAX_CUSTOMERS),
		customerCount: customers.length,
		/** In the order in which they ended. */
		requests: state.log.list(MAX_REQUESTS),
		counters: state.log.counters(),
		faultKinds: FAULT_KINDS,
		...state.faults(),
	};
}
