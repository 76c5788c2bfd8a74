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

interface Trunk {
	id: number;
	name: string;
	organizationId: number;
	sbcId: number;
	/** In the order in which they became premium; each code once, though `IT`, `ITA` and `380` are one country. */
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
interface SandboxRecords {
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
export function createRecords(): SandboxRecords {
	const trunks: Trunk[] = [];
	const gateways: Gateway[] = [];
	for (const [index, city] of ['Milano', 'Torino', 'Palermo'].entries()) {
		const [idOffset, organizationId] = [4 * index, 10 * (index + 1)];
		for (const [position, title] of ['Main', 'Backup', 'Call Center', 'International'].entries()) {
			const [id, sbcId] = [1001 + idOffset + position, 1 + (position % 2)];
			trunks.push({ id, name: `${city} ${title}`, organizationId, sbcId, premiumCountries: [] });
		}
		const addGateway = (position: number, name: string, type: Gateway['type'], terminationUri?: string | null) =>
			gateways.push({
				id: String(idOffset + position),
				name: `${city} ${name}`,
				type,
				organizationId,
				...(terminationUri !== undefined && { terminationUri }),
			});
		addGateway(1, 'Elastic 1', 'elastic-sip-trunk', `${city.toLowerCase()}-1.sip.sandbox.example`);
		addGateway(2, 'PBX', 'pbx');
		addGateway(3, 'Carrier', 'carrier', null);
		addGateway(4, 'Elastic 2', 'elastic-sip-trunk', `${city.toLowerCase()}-2.sip.sandbox.example`);
	}
	const brokenTrunk = { id: BROKEN_TRUNK_ID, name: 'Broken On Purpose', organizationId: 30, sbcId: 3 };
	trunks.push({ ...brokenTrunk, broken: true, premiumCountries: [] });
	return { trunks, gateways, customers: [] };
}
