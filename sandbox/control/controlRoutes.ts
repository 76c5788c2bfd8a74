import type { FastifyInstance } from 'fastify';

import { ApiError, validate } from '../apiError';
import { FAULT_KINDS, type FaultRule } from '../faults/rules';
import type { SandboxState } from '../state';
import { gatewaySchema } from '../store/seed';

/** The page shows only the latest; a run may create thousands. */
const MAX_REQUESTS = 200;
const MAX_CUSTOMERS = 100;

/** Everything that the page shows. */
export type Snapshot = ReturnType<typeof snapshotOf>;

/** Adds the paths that control the sandbox and aren't part of the API. */
export function addControlRoutes(app: FastifyInstance, state: SandboxState): void {
	// Whatever the content type: `curl -d` sends that of a form.
	const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
	app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, body, callback) =>
		body === '' ? callback(null) : parseJson(request, body, callback),
	);
	app.setNotFoundHandler(({ method, url }) => {
		throw new ApiError(404, 'There is no such control path', `There is no ${method} ${url.split('?', 1)[0]}`);
	});

	app.get('/health', async () => ({ status: 'ok' }));
	app.get('/snapshot', async () => snapshotOf(state));
	app.get<{ Params: { id: string } }>('/requests/:id', async ({ params: { id } }) => {
		const request = state.requestLog.find(Number(id));
		if (!request) throw new ApiError(404, 'The request is not kept', `No request that is kept has the id ${id}`);
		return request;
	});
	app.get('/faults', async () => state.getFaults());
	app.put<{ Body: FaultRule[] }>('/faults', async ({ body }) => {
		state.setFaults(body);
		return state.getFaults();
	});
	const addChange = (method: 'POST' | 'PUT' | 'DELETE', url: string, change: (body: unknown) => void) =>
		app.route({ method, url, handler: async ({ body }, reply) => (change(body), reply.code(204).send()) });
	addChange('POST', '/reset', () => state.reset());
	addChange('PUT', '/gateways', (body) => state.putGateway(validate(gatewaySchema, body)));
	addChange('DELETE', '/gateways', (body) => state.removeGateway(validate(gatewaySchema.pick({ id: true }), body).id));
}

function snapshotOf(state: SandboxState) {
	const { customers } = state.records;
	return {
		...state.records,
		customers: customers.slice(-MAX_CUSTOMERS),
		customerCount: customers.length,
		/** In the order in which they ended. */
		requests: state.requestLog.list(MAX_REQUESTS),
		counters: state.requestLog.getCounters(),
		faultKinds: FAULT_KINDS,
		...state.getFaults(),
	};
}
