import type { Customer, Gateway, PremiumCountry, Trunk } from '../records';

/** What of the books and the log is shown at most; the rest is counted. */
export const MOST_SHOWN = { requests: 200, customers: 100, gateways: 500, premiumCountries: 60, fields: 12, text: 120 } as const;

/** A trunk with its latest premium countries, and how many there are. */
export interface TrunkView extends Omit<Trunk, 'premiumCountries'> {
	premiumCountries: PremiumCountry[];
	premiumCount: number;
}

/** A customer with its first fields as texts, and how many there are. */
export interface CustomerView {
	id: number;
	vatNumber: string | null;
	/** ISO 8601, UTC. */
	createdAt: string;
	fields: Array<{ name: string; value: string }>;
	fieldCount: number;
}

/** A gateway with the fields that are shown; it may have been put there with any others. */
export type GatewayView = Pick<Gateway, 'id' | 'name' | 'type' | 'organizationId' | 'terminationUri'>;

const OFTEN_SECRET = /pass|secret|token|key|auth/i;

export function viewOfTrunk({ premiumCountries, ...trunk }: Trunk): TrunkView {
	const latest = premiumCountries.slice(-MOST_SHOWN.premiumCountries);
	return { ...trunk, premiumCountries: latest.map(viewOfCountry), premiumCount: premiumCountries.length };
}

export function viewOfGateways(gateways: Gateway[]): GatewayView[] {
	return gateways.slice(-MOST_SHOWN.gateways).map(({ id, name, type, organizationId, terminationUri }) => ({
		id: cut(id),
		name: name && cut(name),
		type,
		organizationId,
		terminationUri: terminationUri && cut(terminationUri),
	}));
}

export function viewOfCustomer({ id, vatNumber, createdAt, ...others }: Customer): CustomerView {
	const fields = Object.entries(others);
	return {
		id,
		vatNumber: vatNumber === undefined ? null : cut(vatNumber),
		createdAt,
		fields: fields.slice(0, MOST_SHOWN.fields).map(([name, value]) => ({ name: cut(name), value: OFTEN_SECRET.test(name) ? '[hidden]' : textOf(value) })),
		fieldCount: fields.length,
	};
}

function viewOfCountry(country: PremiumCountry): PremiumCountry {
	const { premium_available: available } = country;
	return available === undefined ? country : { ...country, premium_available: cut(available) };
}

function textOf(value: unknown): string {
	return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function cut(text: string): string {
	return text.length <= MOST_SHOWN.text ? text : `${text.slice(0, MOST_SHOWN.text)}…`;
}
