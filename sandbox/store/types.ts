/** Who may log in, and what with: operations name the permission that they need in openapi.yaml, under `security`. */
export interface Client {
	clientId: string;
	clientSecret: string;
	permissions: string[];
}

/** The last premium request for a country, as it was sent, except for `iso`, which is upper case here. */
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
	/** In the order in which they first became premium; no country twice. */
	premiumCountries: PremiumCountry[];
	/** Present on the trunk whose updates always fail. */
	broken?: true;
}

/** As the API shows it. */
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
	createdAt: string;
	[field: string]: unknown;
}

/** Everything that a sandbox holds. */
export interface Stored {
	organizations: Array<{ id: number; name: string }>;
	trunks: Trunk[];
	gateways: Gateway[];
	/** In the order of their creation; what was created twice is here twice. */
	customers: Customer[];
}
