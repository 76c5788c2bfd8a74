import { z } from 'zod';

/** A client that can log in. openapi.yaml names the permission that each operation requires, under `security`. */
export interface Client {
	clientId: string;
	clientSecret: string;
	permissions: string[];
}

/** The latest premium request for a country, as it was sent, but with `iso` in upper case. */
export interface PremiumCountry {
	iso: string;
	organizationId?: number;
	sbcId?: number;
	premium_available?: string;
}

export interface Trunk {
	id: number;
	name: string;
	organizationId: number;
	sbcId: number;
	/** In the order in which they became premium; each country once. */
	premiumCountries: PremiumCountry[];
	/** Present on the trunk whose updates always fail. */
	broken?: true;
}

/** A gateway as the API returns it; more fields are allowed. */
export const gatewaySchema = z
	.object({
		id: z.string().regex(/\S/, 'Must not be blank'),
		name: z.string(),
		type: z.enum(['elastic-sip-trunk', 'pbx', 'carrier']),
		organizationId: z.number().int(),
		/** A string for Elastic SIP Trunks; null or absent for other types. */
		terminationUri: z.string().nullable().optional(),
	})
	.passthrough();
export type Gateway = z.infer<typeof gatewaySchema>;

/** A stored customer: the fields below and whatever else was sent. */
export interface Customer {
	id: number;
	vatNumber?: string;
	createdAt: string;
	[field: string]: unknown;
}

/** The records of a sandbox. */
export interface Stored {
	organizations: Array<{ id: number; name: string }>;
	trunks: Trunk[];
	gateways: Gateway[];
	/** In order of creation; a customer that was created twice is here twice. */
	customers: Customer[];
}

/** Has all permissions. */
export const DEMO_CLIENT: Client = {
	clientId: 'demo-client',
	clientSecret: 'demo-key-not-a-secret',
	permissions: ['read', 'write'],
};

/** Can read gateways; setting premium and creating customers fail with 403. */
export const READ_ONLY_CLIENT: Client = {
	clientId: 'demo-reader',
	clientSecret: 'demo-reader-key-not-a-secret',
	permissions: ['read'],
};

export const CLIENTS = [DEMO_CLIENT, READ_ONLY_CLIENT];

/** Setting premium on this trunk always fails with 500. */
export const BROKEN_TRUNK_ID = 1500;

/** The initial records, four trunks and four gateways per organization; a new copy at each call. */
export function createSeed(): Stored {
	const organizations = ['Milano Telefonia', 'Torino Voce', 'Palermo Reti'].map((name, index) => ({
		id: 10 * (index + 1),
		name,
	}));
	const trunks: Trunk[] = [];
	const gateways: Gateway[] = [];
	for (const { id: organizationId, name } of organizations) {
		const city = name.split(' ')[0]!;
		const before = gateways.length;
		for (const [index, title] of ['Main', 'Backup', 'Call Center', 'International'].entries()) {
			const [id, sbcId] = [1001 + before + index, 1 + (index % 2)];
			trunks.push({ id, name: `${city} ${title}`, organizationId, sbcId, premiumCountries: [] });
		}
		const uri = (number: number) => `${city.toLowerCase()}-${number}.sip.sandbox.example`;
		gateways.push(
			{
				id: String(before + 1),
				name: `${city} Elastic 1`,
				type: 'elastic-sip-trunk',
				organizationId,
				terminationUri: uri(1),
			},
			{ id: String(before + 2), name: `${city} PBX`, type: 'pbx', organizationId },
			{ id: String(before + 3), name: `${city} Carrier`, type: 'carrier', organizationId, terminationUri: null },
			{
				id: String(before + 4),
				name: `${city} Elastic 2`,
				type: 'elastic-sip-trunk',
				organizationId,
				terminationUri: uri(2),
			},
		);
	}
	trunks.push({
		id: BROKEN_TRUNK_ID,
		name: 'Broken On Purpose',
		organizationId: 30,
		sbcId: 3,
		premiumCountries: [],
		broken: true,
	});
	return { organizations, trunks, gateways, customers: [] };
}
