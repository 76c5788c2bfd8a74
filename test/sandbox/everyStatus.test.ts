import { BROKEN_TRUNK_ID, DEMO_CLIENT, READ_ONLY_CLIENT, startSandbox } from '../../sandbox';
import type { HttpFaultName, Sandbox } from '../../sandbox';
import { DocumentedClient, openApiDocument } from './documentedClient';
import type { Response } from './documentedClient';

let sandbox: Sandbox;
let client: DocumentedClient;

beforeAll(async () => {
	sandbox = await startSandbox();
	client = new DocumentedClient(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

type Provocation = () => Promise<Response>;

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);
const plainText = { headers: { 'Content-Type': 'text/plain' } };

/** The request that gets each status without a fault. */
const provocations: Record<string, Record<string, Provocation>> = {
	login: {
		200: () => client.login(DEMO_CLIENT),
		400: () => client.login({ clientId: '', clientSecret: '' }),
		401: () => client.login({ clientId: 'demo-client', clientSecret: 'wrong' }),
		413: () => client.login({ clientId: 'demo-client', clientSecret: TOO_LARGE }),
		415: () => client.call('POST', '/auth/api-key/login', { body: '{}', token: null }),
	},
	setPremium: {
		204: () => client.setPremium({ idTrunk: 1001, iso: 'IT' }),
		400: () => client.setPremium({}),
		401: () => client.setPremium({ idTrunk: 1001, iso: 'IT' }, { token: null }),
		403: async () => await client.setPremium({ idTrunk: 1001, iso: 'IT' }, { token: await client.tokenOf(READ_ONLY_CLIENT) }),
		404: () => client.setPremium({ idTrunk: 9999, iso: 'IT' }),
		413: () => client.setPremium(TOO_LARGE),
		415: () => client.setPremium('x', plainText),
		500: () => client.setPremium({ idTrunk: BROKEN_TRUNK_ID, iso: 'IT' }),
	},
	getGateway: {
		200: () => client.gateway('1'),
		400: () => client.gateway('%zz'),
		401: () => client.gateway('1', { token: null }),
		404: () => client.gateway('999'),
	},
	getGatewayOfOrganization: {
		200: () => client.gateway('1/10'),
		400: () => client.gateway('1/%zz'),
		401: () => client.gateway('1/10', { token: null }),
		404: () => client.gateway('1/20'),
	},
	addCustomer: {
		201: () => client.addCustomer({ vatNumber: '1' }),
		400: () => client.addCustomer({ vatNumber: 1 }),
		401: () => client.addCustomer({ vatNumber: '1' }, { token: null }),
		403: async () => await client.addCustomer({ vatNumber: '1' }, { token: await client.tokenOf(READ_ONLY_CLIENT) }),
		413: () => client.addCustomer(TOO_LARGE),
		415: () => client.addCustomer('x', plainText),
	},
};

/** The statuses that only a fault gives. */
const faultOf: Record<string, HttpFaultName> = { 429: 'http429', 500: 'http500', 502: 'http502', 503: 'http503', 504: 'http504' };

it('gives every status that openapi.yaml describes for every operation, in the way described', async () => {
	const given: string[] = [];
	const described: string[] = [];
	for (const { operationId = '', method, path, responses = {} } of (await openApiDocument()).getOperations()) {
		for (const status of Object.keys(responses)) {
			described.push(`${operationId} ${status}`);
			const provoke = provocations[operationId]?.[status];
			const fault = faultOf[status];
			let response: Response | undefined;
			if (provoke) {
				response = await provoke();
			} else if (fault) {
				sandbox.setFaults({ rules: [{ fault, method: method.toUpperCase(), count: 1 }] });
				response = await client.call(method, path.replace('{gatewayId}', '1').replace('{organizationId}', '10'), { body: method === 'get' ? undefined : {}, token: null });
				sandbox.setFaults({});
			}
			given.push(`${operationId} ${response?.status}`);
		}
	}
	expect(given).toEqual(described);
});
