import {
	addCustomer,
	credentialFor,
	CredentialStore,
	execute,
	getGateway,
	httpRequest,
	json,
	RECORDED_TOKEN,
	setPremium,
	startService,
	testCredential,
} from '../support/executor';

test.each([301, 302, 303, 307, 308])(
	'a redirect to another host, %i, gets neither the token nor the body',
	async (status) => {
		const elsewhere = await startService((_request, response) => json(response, 200, { stolen: true }));
		const service = await startService((_request, response) => {
			response.writeHead(status, { Location: `${elsewhere.url}/collect` }).end();
		});
		for (const parameters of [getGateway('1'), setPremium(1, 'IT'), addCustomer('1')]) {
			const { error } = await execute({ parameters, credential: credentialFor(service.url) });
			expect(error?.description).toContain(`redirects (to ${elsewhere.url}/collect)`);
		}
		expect([...elsewhere.requests, ...elsewhere.logins]).toEqual([]);
	},
);

test('a redirect whose address repeats the key and the token is named without them', async () => {
	const KEY = 'key-in-a-redirect-5d1e';
	const service = await startService((_request, response) => {
		response.writeHead(302, { Location: `/${KEY}/${RECORDED_TOKEN}` }).end();
	});
	const credential = credentialFor(service.url, { clientSecret: KEY });
	const { error } = await execute({ parameters: getGateway('1'), credential });
	expect(error?.description).toContain('The service redirects (to /***/***).');
});

test("a credential's test shows no token that the service repeats, an earlier one or one of its answer", async () => {
	let answer: [status: number, body: object] = [200, { access_token: 'token-of-before' }];
	const service = await startService(
		(_request, response) => json(response, 200, {}),
		(_request, response) => json(response, ...answer),
	);
	await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
	const words = async (...given: typeof answer) => {
		answer = given;
		return (await testCredential(credentialFor(service.url))).message;
	};
	expect(await words(401, { message: 'Not token-of-before' })).toContain('Not ***');
	expect(await words(302, { access_token: 'token-of-today' })).toContain('{"access_token":"***"}');
	expect(await words(500, { access_token: 'token-of-today', message: 'Not token-of-today' })).toContain('Not ***');
});

test.each([
	[302, 'Authorization'],
	[308, 'X-Token'],
])(
	'a redirect, %i, of the HTTP Request node with the token in %s is not followed, to another host or its own',
	async (status, authHeaderName) => {
		const elsewhere = await startService((_request, response) => json(response, 200, { stolen: true }));
		const service = await startService(({ target }, response) => {
			const to = target === '/own' ? '/other' : `${elsewhere.url}/collect`;
			response.writeHead(status, { Location: to }).end();
		});
		const store = new CredentialStore(credentialFor(service.url, { authHeaderName }));
		for (const path of ['/own', '/elsewhere']) {
			await expect(httpRequest(service.url + path, store)).rejects.toMatchObject({ httpCode: String(status) });
		}
		expect(new Set(service.requests.map(({ target }) => target))).toEqual(new Set(['/own', '/elsewhere']));
		expect(service.requests[0]?.headers[authHeaderName.toLowerCase()]).toBe(`Bearer ${RECORDED_TOKEN}`);
		expect([...elsewhere.requests, ...elsewhere.logins]).toEqual([]);
	},
);
