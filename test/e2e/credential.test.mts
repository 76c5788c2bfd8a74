import { setTimeout as sleep } from 'node:timers/promises';

import { READ_ONLY_CLIENT } from '../../sandbox';
import { PROFILES } from '../../sandbox/profiles';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { inN8n } from '../support/n8n/scenario.mts';

describe('a service that answers both an expired token and a missing permission with 403, as the API documents no other status', () => {
	const { scenario } = inN8n({ profile: PROFILES.find(({ name }) => name === 'documented') });
	const MORE_THAN_A_MINUTE = 61_000;

	scenario(
		'costs one login, and no item, when a token of more than a minute has expired',
		{ items: numbered(50), parameters: getGateway('={{ $json.n % 12 + 1 }}') },
		async ({ again, state }, sandbox) => {
			expect(state.counters.logins).toBe(1);
			await sleep(MORE_THAN_A_MINUTE);
			sandbox.expireTokens();
			const later = await again();
			expect(later.errors).toEqual([]);
			expect(later.output.map(({ id }) => id)).toEqual(numbered(50).map(({ n }) => String((n % 12) + 1)));
			expect(later.state.counters.logins).toBe(2);
		},
	);

	scenario(
		'costs one more login in six runs with a key that lacks a permission',
		{
			items: numbered(5),
			parameters: addCustomer('={{ "C" + $json.n }}'),
			credential: { ...READ_ONLY_CLIENT },
			settings: { onError: 'continueRegularOutput' },
		},
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
