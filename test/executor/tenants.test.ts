import {
	addCustomer,
	type Arrived,
	credentialFor,
	CredentialStore,
	execute,
	getGateway,
	httpRequest,
	json,
	MODES,
	Polling,
	RECORDED_TOKEN,
	startService,
} from '../support/executor';

test.each(MODES)(
	'a credential whose client ID is an expression sends each item of a run with the key of its tenant, in mode %s',
	async (mode) => {
		const clientOf = ({ body }: Arrived) => new URLSearchParams(body).get('clientId');
		const service = await startService(
			(_request, response) => json(response, 200, {}),
			(request, response) => json(response, 200, { access_token: `token-of-${clientOf(request)}` }),
		);
		const tenants = ['A', 'B', 'C', 'A', 'B', 'A'];
		const { error, output } = await execute({
			items: tenants.map((tenant, n) => ({ tenant, vat: `${n} of ${tenant}` })),
			parameters: addCustomer('={{ $json.vat }}'),
			credential: credentialFor(service.url, { clientId: '={{ $json.tenant }}' }),
			mode,
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(6);
		const sentAs = service.requests.map(({ body, headers }) => [
			(JSON.parse(body) as { vatNumber: string }).vatNumber,
			headers.authorization,
		]);
		expect(sentAs.sort()).toEqual(tenants.map((tenant, n) => [`${n} of ${tenant}`, `Bearer token-of-${tenant}`]));
		expect(service.logins.map(clientOf).sort()).toEqual(['A', 'B', 'C']);
	},
);

test.each<[string, (credential: CredentialStore, url: string) => Promise<{ error?: Error } | { statusCode: number }>]>([
	['a node', async (credential) => await execute({ parameters: getGateway('1'), credential })],
	['the trigger', async (credential) => await new Polling({ gatewayIds: '1' }, credential).poll()],
	['the HTTP Request node', async (credential, url) => await httpRequest(`${url}/x`, credential)],
])(
	'a credential in which every field is an expression is resolved field by field, and stays as it is: in %s',
	async (name, run) => {
		const service = await startService((_request, response) => json(response, 200, { id: '1' }));
		const values = {
			environment: 'staging',
			stagingUrl: service.url,
			clientId: `client of ${name}`,
			clientSecret: 'key-of-expressions',
			authHeaderName: 'X-Token',
			authHeaderPrefix: 'Token',
			allowUnauthorizedCerts: false,
		};
		const expressions = Object.fromEntries(
			Object.entries(values).map(([field, value]) => [field, `={{ ${JSON.stringify(value)} }}`]),
		);
		const stored = credentialFor('not used', expressions);
		const credential = new CredentialStore({ ...stored });
		expect(await run(credential, service.url)).not.toHaveProperty('error', expect.anything());
		expect(service.logins.map(({ body }) => body)).toEqual([
			new URLSearchParams({ clientId: values.clientId, clientSecret: values.clientSecret }).toString(),
		]);
		expect(service.requests.map(({ headers }) => headers['x-token'])).toEqual([`Token ${RECORDED_TOKEN}`]);
		expect(credential.stored).toEqual(stored);
	},
);
