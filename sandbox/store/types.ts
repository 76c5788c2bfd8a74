/** What a client may do. Operations name the permission that they need in openapi.yaml, under `security`. */
export type Permission = 'read' | 'write';

/** Who may log in. */
export interface Client {
	clientId: string;
	/** The API key. */
	clientSecret: string;
	permissions: Permission[];
}

export interface Organization {
	id: number;
	name: string;
}

/** The last premium request for a country, as it was sent, except for `iso`, which is upper case here. */
export interface PremiumCountry {
	iso: string;
	organizationId?: number;
	sbcId?: number;
	premium_available?: string;
}

/** Body of a premium request. */
export interface TrunkCountryRequest extends PremiumCountry {
	idTrunk: number;
}

/** A VoIP DSS trunk. */
export interface Trunk {
	id: number;
	name: string;
	organizationId: number;
	sbcId: number;
	/** In the order in which they first became premium; no country twice. */
	premiumCountries: PremiumCountry[];
	/** Present on the trunk whose updates always fail. */
	broken?: true;
}

/** A VoIP DSS gateway, as the API shows it. */
export interface Gateway {
	id: string;
	name: string;
	type: 'elastic-sip-trunk' | 'pbx' | 'carrier';
	organizationId: number;
	/** A text for Elastic SIP Trunks; null or absent for other types. */
	terminationUri?: string | null;
}

/** A stored customer: the fields below and whatever else was sent. */
export interface Customer {
	id: number;
	vatNumber?: string;
	/** ISO 8601, UTC. */
	createdAt: string;
	[field: string]: unknown;
}

/** Body of a customer creation: the VAT number under any of three names, and any other field. */
export interface CustomerRequest {
	vatNumber?: string;
	pIva?: string;
	piva?: string;
	[field: string]: unknown;
}
