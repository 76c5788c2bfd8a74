import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { DEMO_CLIENT, READ_ONLY_CLIENT } from '../../sandbox';
import { n8nCommand } from '../../scripts/n8n/cli.mts';
import { chain } from '../../scripts/n8n/workflow.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { n8n, startOwnSandbox } from '../support/n8n/n8n.mts';
import { sharedServer } from '../support/n8n/n8nServer.mts';
import { inN8n } from '../support/n8n/scenario.mts';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { startProxy, startSelfSigned } from '../support/secureService';

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

/** n8n's HTTP Request node with the credential. */
const requesting = (url: string, options = {}) => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: { authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAdminApi', url, options },
});

const GATEWAY = 'SERVICE/v1/voip/dss/gtw/1';

describe('a credential whose key depends on the item', () => {
	const [writer, reader] = [DEMO_CLIENT, READ_ONLY_CLIENT].map(({ clientId }) => ({ tenant: clientId }));
	const keys = Object.fromEntries([DEMO_CLIENT, READ_ONLY_CLIENT].map(({ clientId, clientSecret }) => [clientId, clientSecret]));
	const byTenant = { clientId: '={{ $json.tenant }}', clientSecret: `={{ (${JSON.stringify(keys)})[$json.tenant] }}` };

	scenario(
		'sends each item with the key of its tenant',
		{
			items: [writer!, reader!, writer!],
			parameters: addCustomer('={{ $json.tenant }}'),
			credential: byTenant,
			settings: { onError: 'continueRegularOutput' },
		},
		({ errors, state }) => {
			expect(errors.map(({ httpCode }) => httpCode)).toEqual(['403']);
			expect(state.customers.map(({ vatNumber }) => vatNumber)).toEqual(Array(2).fill(DEMO_CLIENT.clientId));
		},
	);

	const EXPIRES = "in n8n's HTTP Request node fails once when its token has expired, has a new one then, and is stored as its user made it";

	scenario(
		EXPIRES,
		{
			items: [writer!, reader!, writer!, writer!, writer!],
			credential: byTenant,
			settings: { onError: 'continueRegularOutput' },
			// Four seconds apart, as a young token is not replaced.
			node: requesting(GATEWAY, { batching: { batch: { batchSize: 1, batchInterval: 4_000 } } }),
			faults: { rules: [{ fault: 'tokenExpires', afterRequests: 2 }] },
		},
		async ({ output, requests, state }, { url }) => {
			expect(requests.filter(({ path: to }) => to.startsWith('/v1')).map(({ status }) => status)).toEqual([200, 200, 200, 401, 200]);
			expect(output).toHaveLength(4);
			expect(state.counters.logins).toBe(3);
			const file = path.join(n8n.home, 'exported.json');
			await n8nCommand(n8n, ['export:credentials', '--all', '--decrypted', `--output=${file}`]);
			const exported = JSON.parse(await readFile(file, 'utf8')) as Array<{ name: string; data: IDataObject }>;
			expect(exported.find(({ name }) => name === EXPIRES)?.data).toMatchObject({ ...credentialFor(url), ...byTenant });
		},
	);
});

scenario(
	"n8n's HTTP Request node does not give the token to another server",
	{ node: requesting('http://localhost:9/elsewhere') },
	({ errors, output }) => {
		expect(output).toEqual([]);
		expect(JSON.stringify(errors)).toContain('The access token of this credential can be sent only to');
	},
);

describe("n8n's allowed domains", () => {
	const allowing = (allowedDomains: string) => ({ allowedHttpRequestDomains: 'domains', allowedDomains });
	const appliesToNodes = !n8n.version.startsWith('2.8.');

	scenario(
		'hold for the login, where this n8n applies them to a node of its own',
		{ parameters: getGateway('1'), credential: allowing('api.example.com') },
		({ errors, requests }) => {
			if (!appliesToNodes) return expect(requests).toHaveLength(2);
			expect(errors[0]?.message).toContain('Domain not allowed');
			expect(requests).toEqual([]);
		},
	);

	scenario(
		'let the HTTP Request node log in where they name the service',
		{ node: requesting(GATEWAY), credential: allowing('127.0.0.1') },
		({ errors, requests }) => expect([errors, requests.map(({ status }) => status)]).toEqual([[], [200, 200]]),
	);

	test('hold for the trigger', async () => {
		const sandbox = await startOwnSandbox();
		const [server, name] = [sharedServer(), 'restricted trigger'];
		const data = credentialFor(sandbox.url, allowing('api.example.com'));
		const id = await server.create('credentials', { name, type: 'voiceAdminApi', data });
		const parameters = { gatewayIds: '1', options: { maxRetries: 0 } };
		const type = 'n8n-nodes-voice-admin.voiceAdminTrigger';
		const start = { name: 'Start', type, typeVersion: 1, parameters, credentials: { voiceAdminApi: { id, name } } };
		const nodes = [{ name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }];
		const { data: execution } = await server.run(await server.create('workflows', chain({ id: '', name, start, nodes })), 'Start');
		await sandbox.close();
		expect(sandbox.requests()).toHaveLength(appliesToNodes ? 0 : 2);
		if (appliesToNodes) expect(execution).toContain('Domain not allowed');
	});
});

describe('a process of n8n', () => {
	let secure: Awaited<ReturnType<typeof startSelfSigned>>;
	let proxy: Awaited<ReturnType<typeof startProxy>>;
	const certificate = path.join(n8n.home, 'certificate.pem');

	beforeAll(async () => {
		[secure, proxy] = await Promise.all([startSelfSigned(), startProxy()]);
		await writeFile(certificate, secure.certificate);
	});

	afterAll(async () => await Promise.all([secure.close(), proxy.close()]));

	scenario(
		'whose environment names a proxy has it carry the login and the request',
		() => ({
			parameters: getGateway('1'),
			ownProcess: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '', no_proxy: '' },
		}),
		({ errors, requests }, { url }) => {
			expect(errors).toEqual([]);
			const carried = proxy.arrived.map((line) => line.split(' ').slice(0, 2).join(' '));
			expect(carried).toEqual([`POST ${url}/auth/api-key/login`, `GET ${url}/v1/voip/dss/gtw/1`]);
			expect(requests).toEqual([]);
		},
	);

	scenario(
		'accepts a certificate that Node is told to trust',
		() => ({ parameters: getGateway('1'), credential: { baseUrl: secure.url }, ownProcess: { NODE_EXTRA_CA_CERTS: certificate } }),
		({ errors }) => {
			expect(errors).toEqual([]);
			expect(secure.arrived).toEqual(['POST /auth/api-key/login', 'GET /v1/voip/dss/gtw/1']);
		},
	);
});
