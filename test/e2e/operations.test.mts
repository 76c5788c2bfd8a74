import { addCustomer, getGateway, setPremium } from '../support/operations';
import { inN8n } from '../support/n8n/scenario.mts';

const { scenario } = inN8n();

describe('VoIP DSS Trunk: Set Premium', () => {
	scenario(
		'enables a country chosen from the list',
		{ parameters: { ...setPremium(1001, ''), iso: { __rl: true, mode: 'list', value: 'IT', cachedResultName: 'Italy (IT)' } } },
		({ output, state }) => {
			expect(output).toEqual([{ success: true, idTrunk: 1001, iso: 'IT' }]);
			expect(premiumOf(state, 1001)).toContain('IT');
		},
	);

	scenario(
		'enables several countries by code, with additional fields, an output item each in their order',
		{
			items: [{ trunk: 1004, countries: 'it, FR,276' }],
			parameters: setPremium('={{ $json.trunk }}', '={{ $json.countries }}', { additionalFields: { organizationId: 10, premiumAvailable: 'yes', sbcId: 2 } }),
		},
		({ output, paired, state }) => {
			const sent = { success: true, idTrunk: 1004, organizationId: 10, premium_available: 'yes', sbcId: 2 };
			expect(output).toEqual(['IT', 'FR', '276'].map((iso) => ({ ...sent, iso })));
			expect(paired).toEqual([0, 0, 0]);
			expect(premiumOf(state, 1004)).toEqual(expect.arrayContaining(['IT', 'FR', '276']));
		},
	);
});

describe('VoIP DSS Gateway: Get', () => {
	scenario(
		'gives a termination URI as it is: there, null or absent',
		{ items: [{ id: '1' }, { id: '3' }, { id: '2' }], parameters: getGateway('={{ $json.id }}') },
		({ output }) => {
			expect(output.map(({ id }) => id)).toEqual(['1', '3', '2']);
			expect(output[0]?.terminationUri).toBe('milano-1.sip.sandbox.example');
			expect(output[1]?.terminationUri).toBeNull();
			expect(output[2]).not.toHaveProperty('terminationUri');
		},
	);

	scenario(
		'looks within an organization when one is given',
		{ items: [{ id: 5, organization: 20 }], parameters: getGateway('={{ $json.id }}', { organizationId: '={{ $json.organization }}' }) },
		({ output, requests }) => {
			expect(output).toEqual([expect.objectContaining({ id: '5', organizationId: 20 })]);
			expect(requests.map(({ path }) => path)).toContain('/v1/voip/dss/gtw/5/20');
		},
	);
});

describe('Customer: Add', () => {
	scenario(
		'creates a record with the VAT number and other fields',
		{ parameters: addCustomer('IT12345678903', { otherFields: '{ "companyName": "Rossi Telefonia Srl", "city": "Milano" }' }) },
		({ output, state }) => {
			expect(output).toEqual([expect.objectContaining({ vatNumber: 'IT12345678903', companyName: 'Rossi Telefonia Srl', city: 'Milano' })]);
			expect(state.customers).toHaveLength(1);
		},
	);
});

describe('Custom API Call', () => {
	scenario(
		"sends the credential's token by n8n's HTTP Request node",
		{
			items: [{ id: '1' }, { id: '4' }],
			node: {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { url: '=SERVICE/v1/voip/dss/gtw/{{ $json.id }}', authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAdminApi' },
			},
		},
		({ output }) => expect(output.map(({ id }) => id)).toEqual(['1', '4']),
	);

	scenario(
		'does not give the token to another server',
		{
			node: {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { url: 'http://localhost:9/elsewhere', authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAdminApi' },
			},
		},
		({ errors, output }) => {
			expect(output).toEqual([]);
			expect(JSON.stringify(errors)).toContain('The access token of this credential can be sent only to');
		},
	);
});

function premiumOf({ trunks }: { trunks: Array<{ id: number; premiumCountries: Array<{ iso: string }> }> }, id: number): string[] {
	return trunks.find((trunk) => trunk.id === id)?.premiumCountries.map(({ iso }) => iso) ?? [];
}
