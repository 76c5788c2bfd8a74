import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { httpRequest } from '../support/executor/httpRequestNode';
import { addCustomer, getGateway } from '../support/operations';
import { Polling } from '../support/executor/poll';
import { startService } from '../support/executor/startService';
import { type Arrived, json, RECORDED_TOKEN, type Recorder } from '../support/recorder';

/** A service that issues each client a token of its own. */
let service: Recorder;

beforeEach(async () => {
	service = await startService(
		(_request, response) => json(response, 200, {}),
		(request, response) => json(response, 200, { access_token: `token-of-${clientOf(request)}` }),
	);
});

const clientOf = ({ body }: Arrived) => new URLSearchParams(body).get('clientId');
const sentAs = () => service.requests.map(({ body, headers }) => [(JSON.parse(body) as { vatNumber: string }).vatNumber,
	headers.authorization]).sort();
const customerOfItem = addCustomer('={{ $json.vat }}');

describe('a credential whose client id is an expression', () => {
	test('sends each item of a run with the key of its tenant', async () => {
		const tenants = ['A', 'B', 'C', 'A', 'B', 'A'];
		const { error, output } = await execute({
			items: tenants.map((tenant, n) => ({ tenant, vat: `${n} of ${tenant}` })),
			parameters: customerOfItem,
			credential: credentialFor(service.url, { clientId: '={{ $json.tenant }}' }),
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(6);
		expect(sentAs()).toEqual(tenants.map((tenant, n) => [`${n} of ${tenant}`, `Bearer token-of-${tenant}`]));
		expect(service.logins.map(clientOf).sort()).toEqual(['A', 'B', 'C']);
	});
});

describe('a credential in which every field is an expression', () => {
	beforeEach(async () => {
		service = await startService((_request, response) => json(response, 200, { id: '1' }));
	});

	test.each<[string, (credential: CredentialStore) => Promise<{ error?: Error } | { statusCode: number }>]>([
		['a node', async (credential) => await execute({ parameters: getGateway('1'), credential })],
		['the trigger', async (credential) => await new Polling({ gatewayIds: '1' }, credential).poll()],
		['the HTTP Request node', async (credential) => await httpRequest(`${service.url}/x`, credential)],
	])('is resolved field by field, and stays as it is: in %s', async (name, run) => {
		const values = {
			environment: 'staging',
			stagingUrl: service.url,
			clientId: `client of ${name}`,
			clientSecret: 'key-of-expressions',
			authHeaderName: 'X-Token',
			authHeaderPrefix: 'Token',
			allowUnauthorizedCerts: false,
		};
		const expressions = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, `={{ ${JSON.stringify(value)} }}`]));
		const stored = credentialFor('not used', expressions);
		const credential = new CredentialStore({ ...stored });
		expect(await run(credential)).not.toHaveProperty('error', expect.anything());
		expect(service.logins.map(({ body }) => body))
			.toEqual([new URLSearchParams({ clientId: values.clientId, clientSecret: values.clientSecret }).toString()]);
		expect(service.requests.map(({ headers }) => headers['x-token'])).toEqual([`Token ${RECORDED_TOKEN}`]);
		expect(credential.stored).toEqual(stored);
	});
});
