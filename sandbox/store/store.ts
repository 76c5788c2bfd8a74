import { createSeed } from './seed';
import type { Customer, CustomerRequest, Gateway, Organization, PremiumCountry, TrunkCountryRequest, Trunk } from './types';

/** Everything that a sandbox holds. */
export interface Stored {
	organizations: Organization[];
	trunks: Trunk[];
	gateways: Gateway[];
	/** In the order of their creation; what was created twice is here twice. */
	customers: Customer[];
}

/** Trunks, gateways and customers of one sandbox, in memory. */
export class Store {
	private organizations = new Map<string, Organization>();
	private trunks = new Map<number, Trunk>();
	private gateways = new Map<string, Gateway>();
	private customers: Customer[] = [];

	/** @param changed called after each change */
	constructor(private readonly changed: () => void = () => {}) {
		this.reset();
	}

	/** Puts everything back to the seed. */
	reset(): void {
		const { organizations, trunks, gateways } = createSeed();
		this.organizations = new Map(organizations.map((organization) => [String(organization.id), organization]));
		this.trunks = new Map(trunks.map((trunk) => [trunk.id, trunk]));
		this.gateways = new Map(gateways.map((gateway) => [gateway.id, gateway]));
		this.customers = [];
		this.changed();
	}

	findTrunk(id: number): Trunk | undefined {
		return this.trunks.get(id);
	}

	findGateway(id: string): Gateway | undefined {
		return this.gateways.get(id);
	}

	/** @param id as it stands in a path, so a text */
	findOrganization(id: string): Organization | undefined {
		return this.organizations.get(id);
	}

	/** Stores a gateway, in place of the one that has its id. */
	putGateway(gateway: Gateway): void {
		this.gateways.set(gateway.id, structuredClone(gateway));
		this.changed();
	}

	/** Takes a gateway away, if there is one of that id. */
	removeGateway(id: string): void {
		this.gateways.delete(id);
		this.changed();
	}

	/** Makes the country premium for the trunk; a second request for the same country replaces the first. */
	setPremium({ premiumCountries }: Trunk, { iso, organizationId, sbcId, premium_available }: TrunkCountryRequest): void {
		// by JSON, which leaves out what is undefined
		const country: PremiumCountry = JSON.parse(JSON.stringify({ iso: iso.toUpperCase(), organizationId, sbcId, premium_available }));
		const index = premiumCountries.findIndex((known) => known.iso === country.iso);
		premiumCountries.splice(index === -1 ? premiumCountries.length : index, 1, country);
		this.changed();
	}

	/** Stores a new customer, whether or not one with the same VAT number exists, and returns it. */
	addCustomer(request: CustomerRequest): Customer {
		// id and createdAt are the service's to give, whatever was sent under these names
		const { vatNumber, pIva, piva, id: _id, createdAt: _createdAt, ...others } = request;
		const canonical = vatNumber ?? pIva ?? piva;
		const id = this.customers.length + 1;
		const customer: Customer = { id, ...(canonical !== undefined && { vatNumber: canonical }), ...others, createdAt: new Date().toISOString() };
		this.customers.push(customer);
		this.changed();
		return customer;
	}

	get customerCount(): number {
		return this.customers.length;
	}

	/** What is stored itself, to be read only; of the customers the latest `maxCustomers`. */
	view(maxCustomers = Infinity): Stored {
		return {
			organizations: [...this.organizations.values()],
			trunks: [...this.trunks.values()],
			gateways: [...this.gateways.values()],
			customers: this.customers.slice(-maxCustomers),
		};
	}
}
