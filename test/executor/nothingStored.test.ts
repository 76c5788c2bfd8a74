import { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';
import {
	credentialFor,
	CredentialStore,
	httpRequest,
	json,
	newerHttpRequest,
	RECORDED_TOKEN,
	type Recorder,
	startService,
} from '../support/executor';
import { differences } from '../support/executor/differences';

const expressions = { clientId: '={{ "tenant" }}', clientSecret: '={{ "key of " + "tenant" }}' };

let service: Recorder;
let status: number;
/** n8n asks a credential type for what to store before each request, and again after one that failed. */
let asked: jest.SpiedFunction<VoiceAdminApi['preAuthentication']>;

beforeEach(async () => {
	asked = jest.spyOn(VoiceAdminApi.prototype, 'preAuthentication');
	status = 200;
	service = await startService((_request, response) => json(response, status, { message: 'No', errors: '' }));
});

describe.each<[string, Record<string, string>]>([
	['without expressions', {}],
	['with expressions', expressions],
])('the stored record of a credential %s', (_fields, fields) => {
	describe.each([
		['the HTTP Request node', httpRequest, [404, 401, 500]],
		// This one asks again after a 401 alone.
		['a node that uses the newer helper', newerHttpRequest, [401]],
	])('is byte for byte what it was after a request of %s', (_node, request, asksAgainAfter) => {
		test.each([404, 401, 500])('that fails with %i', async (failure) => {
			const store = new CredentialStore(credentialFor(service.url, fields));
			const before = JSON.stringify(store.stored);
			expect((await request(`${service.url}/x`, store)).statusCode).toBe(200);
			status = failure;
			await expect(request(`${service.url}/x`, store)).rejects.toThrow();
			expect(asked).toHaveBeenCalledTimes(asksAgainAfter.includes(failure) ? 3 : 2);
			expect(service.requests[0]!.headers.authorization).toBe(`Bearer ${RECORDED_TOKEN}`);
			expect([JSON.stringify(store.stored), store.writes]).toEqual([before, 0]);
		});
	});
});

test('with a token from the credential type, n8n would store it, and up to 2.33 the values of expressions', async () => {
	asked.mockResolvedValueOnce({ accessToken: 'x' });
	const store = new CredentialStore(credentialFor(service.url, expressions));
	await httpRequest(`${service.url}/x`, store).catch(() => {});
	const fields = differences.keepsExpressions ? expressions : { clientId: 'tenant', clientSecret: 'key of tenant' };
	expect(store.stored).toMatchObject({ ...fields, accessToken: 'x' });
	expect(store.writes).toBe(1);
});
