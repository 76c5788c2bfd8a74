import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { DEMO_CLIENT, READ_ONLY_CLIENT } from '../../sandbox';
import { runN8nCommand } from '../../scripts/n8n/cli.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { n8n } from '../support/n8n/n8n.mts';
import { scenario } from '../support/n8n/scenario.mts';
import { getGateway } from '../support/operations';
import { startProxy, startSelfSigned } from '../support/secureService';

/** n8n's HTTP Request node with the credential. */
const requesting = (options = {}) => {
	const ours = { authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAdminApi' };
	const parameters = { ...ours, url: 'SERVICE/v1/voip/dss/gtw/1', options };
	return { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
};

const EXPIRES =
	"n8n's HTTP Request node sends each item with its tenant's key, fails once when a token has expired, and stores none of it";
const tenants = [DEMO_CLIENT, READ_ONLY_CLIENT, DEMO_CLIENT, DEMO_CLIENT, DEMO_CLIENT].map(({ clientId }) => ({
	tenant: clientId,
}));
const keys = Object.fromEntries(
	[DEMO_CLIENT, READ_ONLY_CLIENT].map(({ clientId, clientSecret }) => [clientId, clientSecret]),
);
const byTenant = { clientId: '={{ $json.tenant }}', clientSecret: `={{ (${JSON.stringify(keys)})[$json.tenant] }}` };

scenario(
	EXPIRES,
	{
		items: tenants,
		credential: byTenant,
		settings: { onError: 'continueRegularOutput' },
		// Four seconds apart, as a new token is not replaced.
		node: requesting({ batching: { batch: { batchSize: 1, batchInterval: 4_000 } } }),
		faults: [{ fault: 'tokenExpires', afterRequests: 2 }],
	},
	async ({ output, sandbox }) => {
		const answers = sandbox
			.getRequests()
			.filter(({ path: to }) => to.startsWith('/v1'))
			.map(({ status }) => status);
		expect([answers, output.length]).toEqual([[200, 200, 200, 401, 200], 4]);
		expect(sandbox.getRecordsAndCounters().counters.logins).toBe(3);
		const file = path.join(n8n.home, 'exported.json');
		await runN8nCommand(n8n, ['export:credentials', '--all', '--decrypted', `--output=${file}`]);
		const exported = JSON.parse(await readFile(file, 'utf8')) as Array<{ name: string; data: IDataObject }>;
		expect(exported.find(({ name }) => name === EXPIRES)?.data).toMatchObject({
			...credentialFor(sandbox.url),
			...byTenant,
		});
	},
);

scenario(
	"n8n's HTTP Request node logs in where Allowed HTTP Request Domains name the service",
	{ node: requesting(), credential: { allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' } },
	({ errors, sandbox }) =>
		expect([errors, sandbox.getRequests().map(({ status }) => status)]).toEqual([[], [200, 200]]),
);

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
		'whose environment names a proxy and a certificate has the one carry login and request, and accepts the other',
		() => ({
			parameters: getGateway('1'),
			credential: { baseUrl: secure.url },
			ownProcess: { HTTPS_PROXY: proxy.url, NO_PROXY: '', no_proxy: '', NODE_EXTRA_CA_CERTS: certificate },
		}),
		({ errors }) => {
			expect(errors).toEqual([]);
			expect(secure.arrived).toEqual(['POST /auth/api-key/login', 'GET /v1/voip/dss/gtw/1']);
			expect(new Set(proxy.arrived)).toEqual(new Set([`CONNECT ${new URL(secure.url).host}`]));
		},
	);
});
