import { BROKEN_TRUNK_ID, type HttpFaultName, READ_ONLY_CLIENT, type Sandbox } from '../../sandbox';
import { type DocumentedClient, openApiDocument, type Response, sandboxOfFile } from './documentedClient';

let sandbox: Sandbox;
let client: DocumentedClient;
sandboxOfFile((...own) => ([sandbox, client] = own));

type Provocation = () => Promise<Response>;
type Operation = ReturnType<Awaited<ReturnType<typeof openApiDocument>>['getOperations']>[number];

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);

/** A request as openapi.yaml shows it: the path with the examples of its parameters, the body's first example. */
function exampleOf({ path, parameters = [], requestBody }: Operation): { path: string; body?: unknown } {
	const shown = parameters.flatMap((parameter) => ('example' in parameter ? [{ ...parameter, text: String(parameter.example) }] : []));
	const inQuery = shown.filter((each) => each.in === 'query' && each.required);
	const query = new URLSearchParams(inQuery.map(({ name, text }): [string, string] => [name, text]));
	const filled = shown.reduce((text, each) => text.replace(`{${each.name}}`, each.text), path) + (query.size > 0 ? `?${query}` : '');
	if (!requestBody || !('content' in requestBody)) return { path: filled };
	type Content = { example?: object; examples?: Record<string, { value: object }> };
	const [[type, { example, examples: named = {} }]] = Object.entries(requestBody.content) as [[string, Content]];
	const body = example ?? Object.values(named)[0]?.value;
	return { path: filled, body: type === 'application/json' ? body : new URLSearchParams(body as Record<string, string>) };
}

/** The request that gets each status of any operation without a fault. */
function provocationsOf(operation: Operation): Record<string, Provocation> {
	const { path, body } = exampleOf(operation);
	const isOpen = operation.security?.length === 0;
	const method = operation.method.toUpperCase();
	const send = async (sent: object = {}) => await client.call(method, path, { body, ...(isOpen && { token: null }), ...sent });
	const withoutFields = { body: body instanceof URLSearchParams ? new URLSearchParams() : '1' };
	return {
		200: send,
		201: send,
		202: send,
		204: send,
		// An id that cannot be decoded; or, where there is none in the path, a body that is no object.
		400: () => (path === operation.path ? send(withoutFields) : client.call(method, path.replace(/(?=\?|$)/, '%zz'))),
		401: () => send({ token: null }),
		403: async () => await send({ token: await client.tokenOf(READ_ONLY_CLIENT) }),
		413: () => send({ body: TOO_LARGE }),
		415: () => send({ body: 'x', headers: { 'Content-Type': 'text/plain' } }),
	};
}

/** What only the operation's own behavior gives. */
const ownProvocations: Record<string, Record<string, Provocation>> = {
	login: { 401: () => client.login({ clientId: 'demo-client', clientSecret: 'wrong' }) },
	setPremium: {
		404: () => client.setPremium({ idTrunk: 9999, iso: 'IT' }),
		500: () => client.setPremium({ idTrunk: BROKEN_TRUNK_ID, iso: 'IT' }),
	},
	getGateway: { 404: () => client.gateway('999') },
	getGatewayOfOrganization: { 404: () => client.gateway('1/20') },
};

it('gives every status that openapi.yaml describes for every operation, in the way described', async () => {
	const given: string[] = [];
	const described: string[] = [];
	for (const operation of (await openApiDocument()).getOperations()) {
		const { operationId = '', method, responses = {} } = operation;
		for (const status of Object.keys(responses)) {
			described.push(`${operationId} ${status}`);
			const provoke = ownProvocations[operationId]?.[status] ?? provocationsOf(operation)[status];
			// what nothing else gives, a fault does
			const fault = `http${status}` as HttpFaultName;
			if (!provoke) sandbox.setFaults({ rules: [{ fault, method: method.toUpperCase(), count: 1 }] });
			const sent = { body: method === 'get' ? undefined : {}, token: null };
			const response = await (provoke?.() ?? client.call(method, exampleOf(operation).path, sent));
			given.push(`${operationId} ${response.status}`);
		}
	}
	expect(given).toEqual(described);
});
