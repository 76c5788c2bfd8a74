import { setTimeout as sleep } from 'node:timers/promises';

import { READ_ONLY_CLIENT } from '../../sandbox';
import { PROFILES } from '../../sandbox/profiles';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { inN8n } from '../support/n8n/scenario.mts';

const gatewayOfItem = getGateway('={{ $json.n % 12 + 1 }}');
const ids = (count: number) => numbered(count).map(({ n }) => String((n % 12) + 1));

describe('the access token', () => {
	const { scenario } = inN8n();

	scenario(
		'is asked for once in a process of n8n, whether or not an earlier one is still good',
		{ items: numbered(50), parameters: gatewayOfItem, ownProcess: {} },
		async ({ output, state, again }, sandbox) => {
			expect(output.map(({ id }) => id)).toEqual(ids(50));
			expect(state.counters.logins).toBe(1);
			expect((await again()).state.counters.logins).toBe(2);
			sandbox.expireTokens();
			const expired = await again();
			expect(expired.errors).toEqual([]);
			expect(expired.output).toHaveLength(50);
			expect(expired.state.counters.logins).toBe(3);
		},
	);

	scenario(
		'may expire in the middle of a run: one more login, and every item has its reply',
		{ items: numbered(300), parameters: gatewayOfItem, faults: { rules: [{ fault: 'tokenExpires', afterRequests: 150 }] } },
		({ output, errors, state }) => {
			expect(errors).toEqual([]);
			expect(output.map(({ id }) => id)).toEqual(ids(300));
			expect(state.counters.logins).toBe(2);
		},
	);
});

describe('a service that answers both an expired token and a missing permission with 403, as the API documents no other status', () => {
	const { scenario } = inN8n({ profile: PROFILES.find(({ name }) => name === 'documented') });
	const MORE_THAN_A_MINUTE = 61_000;

	scenario('costs one login, and no item, when a token of more than a minute has expired', { items: numbered(50), parameters: gatewayOfItem }, async ({ again, state }, sandbox) => {
		expect(state.counters.logins).toBe(1);
		await sleep(MORE_THAN_A_MINUTE);
		sandbox.expireTokens();
		const later = await again();
		expect(later.errors).toEqual([]);
		expect(later.output.map(({ id }) => id)).toEqual(ids(50));
		expect(later.state.counters.logins).toBe(2);
	});

	scenario(
		'costs one more login in six runs with a key that lacks a permission',
		{ items: numbered(5), parameters: addCustomer('={{ "C" + $json.n }}'), credential: { ...READ_ONLY_CLIENT }, settings: { onError: 'continueRegularOutput' } },
		async ({ again, errors }) => {
			expect(errors).toHaveLength(5);
			await sleep(MORE_THAN_A_MINUTE);
			const later = [await again(), await again(), await again(), await again(), await again()];
			for (const ran of later) expect(ran.errors.map(({ httpCode }) => httpCode)).toEqual(Array(5).fill('403'));
			expect(later.at(-1)?.state.counters.logins).toBe(2);
			expect(later.at(-1)?.state.customers).toEqual([]);
		},
	);
});

describe('the credential', () => {
	const { scenario } = inN8n();

	scenario(
		'with a wrong key gives one clear error and makes one attempt, however many items there are',
		{ items: numbered(200), parameters: gatewayOfItem, credential: { clientSecret: 'a-wrong-key-41c9' } },
		({ output, errors, requests }) => {
			expect(output).toEqual([]);
			expect(errors).toEqual([{ message: expect.stringMatching(/^The service did not accept the API key: .+\. Check 'Client ID' and 'Client Secret' \(the API key\) in the credential$/), description: 'Request: gateway 1', httpCode: '401' }]);
			expect(requests.map(({ path }) => path)).toEqual(['/auth/api-key/login']);
		},
	);

	scenario(
		'for staging goes to the staging server',
		{ parameters: getGateway('1'), credential: { environment: 'staging', baseUrl: 'http://127.0.0.1:9', stagingUrl: 'SERVICE/' } },
		({ output }) => expect(output).toEqual([expect.objectContaining({ id: '1' })]),
	);

	scenario(
		'says that the server cannot be reached when it cannot',
		{ parameters: getGateway('1', { options: { maxRetries: 0 } }), credential: { baseUrl: 'http://127.0.0.1:9' } },
		({ output, errors }) => {
			expect(output).toEqual([]);
			expect(errors[0]?.message).toContain('http://127.0.0.1:9');
		},
	);
});
