import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { executeWorkflow, importInto, n8nCommand } from '../../scripts/n8n/cli.mts';
import { chain, itemsOf } from '../../scripts/n8n/workflow.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { n8n } from '../support/n8n/n8n.mts';
import { type N8nServer, sharedServer } from '../support/n8n/n8nServer.mts';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { type Arrived, json, Recorder } from '../support/recorder';
import { inN8n } from '../support/n8n/scenario.mts';
import { startPlain, startProxy, startSelfSigned } from '../support/secureService';

const HTTP_REQUEST = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
const WITH_CREDENTIAL = { authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAdminApi' };

const { scenario } = inN8n();

scenario(
	'a create whose outcome is unknown is not sent again by Retry On Fail, and the error names the customer',
	{
		items: numbered(3),
		parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 1 } }),
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
		faults: { rules: [{ fault: 'resetAfter', bodyContains: '"C1"', count: 1 }] },
	},
	({ errors, state }) => {
		expect(state.customers.map(({ vatNumber }) => vatNumber).sort()).toEqual(['C0', 'C1']);
		expect(errors[0]?.description).toContain('The customer with VAT number C1 may already exist. Look for it');
		expect(errors[0]?.description).toContain('The node did not send it again under Retry On Fail');
	},
);

describe("n8n's HTTP Request node with the credential", () => {
	const node = (url: string, options = {}) => ({ ...HTTP_REQUEST, parameters: { ...WITH_CREDENTIAL, url, options } });

	scenario(
		'fails once when its token has expired, and has a new one then',
		{
			items: numbered(5),
			settings: { onError: 'continueRegularOutput' },
			// Four seconds apart, as a young token is not replaced.
			node: node('SERVICE/v1/voip/dss/gtw/1', { batching: { batch: { batchSize: 1, batchInterval: 4_000 } } }),
			faults: { rules: [{ fault: 'tokenExpires', afterRequests: 2 }] },
		},
		({ output, requests, state }) => {
			expect(requests.filter(({ path }) => path.startsWith('/v1')).map(({ status }) => status)).toEqual([200, 200, 401, 200, 200]);
			expect(output).toHaveLength(4);
			expect(state.counters.logins).toBe(2);
		},
	);

	scenario('does not give the token to another server', { node: node('http://localhost:9/elsewhere') }, ({ errors, output }) => {
		expect(output).toEqual([]);
		expect(JSON.stringify(errors)).toContain('The access token of this credential can be sent only to');
	});
});

scenario(
	"n8n's allowed domains of the credential hold for the login, where this n8n applies them to a node of its own",
	{ parameters: getGateway('1'), credential: { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' } },
	({ errors, requests }) => {
		if (n8n.version.startsWith('2.8.')) return expect(requests).toHaveLength(2);
		expect(errors[0]?.message).toContain('Domain not allowed');
		expect(requests).toEqual([]);
	},
);

describe('in one process of n8n', () => {
	const clientOf = ({ body }: Arrived) => new URLSearchParams(body).get('clientId');
	const TENANTS = ['A', 'B'];
	const byTenant = { clientId: '={{ $json.tenant }}' };
	let service: Recorder;
	let secure: Awaited<ReturnType<typeof startSelfSigned>>;
	let plain: Awaited<ReturnType<typeof startPlain>>;
	let proxy: Awaited<ReturnType<typeof startProxy>>;
	let server: N8nServer | undefined;
	/** Of each response. */
	let status = 200;

	beforeAll(async () => {
		service = await Recorder.start(
			(_request, response) => json(response, status, {}),
			(request, response) => json(response, 200, { access_token: `token-of-${clientOf(request)}` }),
		);
		[secure, plain, proxy] = await Promise.all([startSelfSigned(), startPlain(), startProxy()]);
		const credential = (id: string, url: string, more = {}) => ({ id, name: id, type: 'voiceAdminApi', data: { ...credentialFor(url), ...more } });
		const node = (id: string, credentialId: string, parameters: object, items: object | object[] = {}, more = {}) =>
			chain({
				id,
				name: id,
				nodes: [...itemsOf([items].flat()), { name: 'The node', type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters, credentials: { voiceAdminApi: { id: credentialId, name: credentialId } }, ...more }],
			});
		const watching = { name: 'Start', type: 'n8n-nodes-voice-admin.voiceAdminTrigger', typeVersion: 1, parameters: { gatewayIds: '1', options: { maxRetries: 0 } }, credentials: { voiceAdminApi: { id: 'restricted', name: 'restricted' } } };
		await importInto(n8n, {
			credentials: [
				credential('tenants', service.url, byTenant),
				credential('secure', secure.url),
				// A client of its own: n8n keeps tokens by address and client, and the sandbox of another test may have had this address.
				credential('plain', plain.url, { clientId: 'plain' }),
				credential('ownDomain', service.url, { clientId: 'ownDomain', allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' }),
				credential('restricted', plain.url, { clientId: 'restricted', allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' }),
			],
			workflow: [
				node('createForAll', 'tenants', addCustomer('={{ $json.vat }}'), TENANTS.map((tenant) => ({ tenant, vat: `of ${tenant}` }))),
				...TENANTS.flatMap((tenant) => [
					node(`createFor${tenant}`, 'tenants', addCustomer('={{ $json.vat }}'), { tenant, vat: `of ${tenant}` }),
					node(`requestFor${tenant}`, 'tenants', { ...WITH_CREDENTIAL, url: `${service.url}/v1/x` }, { tenant }, HTTP_REQUEST),
				]),
				node('requestToOwnDomain', 'ownDomain', { ...WITH_CREDENTIAL, url: `${service.url}/v1/x` }, {}, HTTP_REQUEST),
				node('getPlain', 'plain', getGateway('1')),
				node('getSecure', 'secure', getGateway('1')),
				{
					...node('restrictedTrigger', 'restricted', {}),
					nodes: [{ id: '0', position: [0, 0], ...watching }, { id: '1', position: [220, 0], name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }],
					connections: { Start: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
				},
			],
		});
		server = sharedServer();
	}, 180_000);

	afterAll(async () => {
		await Promise.all([service, secure, plain, proxy].map((each) => each.close()));
	});

	const run = async (id: string) => await server!.run(id, 'Start');

	test('each tenant has the key that its expression names, and the stored credential stays as its user made it', async () => {
		for (const who of ['A', 'B', 'All', 'A']) expect((await run(`createFor${who}`)).status).toBe('success');
		// A request that fails makes n8n ask for another token, and store what it is given: nothing. So it does not repeat the request.
		for (const tenant of TENANTS) {
			for (const [next, ends] of [[401, 'error'], [404, 'error'], [200, 'success']] as const) {
				status = next;
				expect((await run(`requestFor${tenant}`)).status).toBe(ends);
			}
		}
		expect(service.requests.filter(({ method }) => method === 'GET')).toHaveLength(3 * TENANTS.length);
		const sent = service.requests.filter(({ method }) => method === 'POST').map(({ body, headers }) => [(JSON.parse(body) as IDataObject).vatNumber, headers.authorization]);
		expect(sent.sort()).toEqual(['A', 'A', 'A', 'B', 'B'].map((tenant) => [`of ${tenant}`, `Bearer token-of-${tenant}`]));
		expect(new Set(service.logins.map(clientOf))).toEqual(new Set(['A', 'B']));

		const file = path.join(n8n.home, 'exported.json');
		await n8nCommand(n8n, ['export:credentials', '--id=tenants', '--decrypted', `--output=${file}`]);
		const [{ data }] = JSON.parse(await readFile(file, 'utf8')) as [{ data: IDataObject }];
		expect(data).toMatchObject({ ...credentialFor(service.url), ...byTenant, accessToken: '' });
	});

	test("a proxy in n8n's environment carries the login and the request", async () => {
		plain.arrived.length = 0;
		proxy.arrived.length = 0;
		const { error } = await executeWorkflow(n8n, 'getPlain', { log: 'n8n-execute', settings: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '', no_proxy: '' } });
		expect(error).toBeUndefined();
		expect(proxy.arrived.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([`POST ${plain.url}/auth/api-key/login`, `GET ${plain.url}/v1/voip/dss/gtw/1`]);
		expect(plain.arrived).toEqual([]);
	});

	test('a certificate that Node is told to trust is accepted', async () => {
		const file = path.join(n8n.home, 'certificate.pem');
		await writeFile(file, secure.certificate);
		const { error } = await executeWorkflow(n8n, 'getSecure', { log: 'n8n-execute', settings: { NODE_EXTRA_CA_CERTS: file } });
		expect(error).toBeUndefined();
		expect(secure.arrived).toEqual(['POST /auth/api-key/login', 'GET /v1/voip/dss/gtw/1']);
	});

	test("n8n's allowed domains let the HTTP Request node log in where they name the service", async () => {
		expect((await run('requestToOwnDomain')).status).toBe('success');
		expect(service.logins.map(clientOf)).toContain('ownDomain');
	});

	test("n8n's allowed domains hold for the trigger", async () => {
		plain.arrived.length = 0;
		const { data } = await run('restrictedTrigger');
		if (n8n.version.startsWith('2.8.')) return expect(plain.arrived).toHaveLength(2);
		expect(data).toContain('Domain not allowed');
		expect(plain.arrived).toEqual([]);
	});
});
