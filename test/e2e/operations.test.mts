import { addCustomer, getGateway, setPremium } from '../support/operations';
import { inN8n } from '../support/scenario.mts';

const { scenario } = inN8n();

describe('VoIP DSS Trunk: Set Premium', () => {
	scenario(
		'enables a country chosen from the list',
		{ parameters: { resource: 'dssTrunk', operation: 'setPremium', idTrunk: 1001, iso: { __rl: true, mode: 'list', value: 'IT', cachedResultName: 'Italy (IT)' } } },
		({ output, state }) => {
			expect(output).toEqual([{ success: true, idTrunk: 1001, iso: 'IT' }]);
			expect(state.trunks.find(({ id }) => id === 1001)?.premiumCountries.map(({ iso }) => iso)).toContain('IT');
		},
	);
});
