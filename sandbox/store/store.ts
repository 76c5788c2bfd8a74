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
	private stored: Stored = { ...createSeed(), customers: [] };

	/** Puts everything back to the seed. */
	reset(): void {
		this.stored = { ...createSeed(), customers: [] };
	}

	findTrunk(id: number): Trunk | undefined {
		return this.stored.trunks.find((trunk) => trunk.id === id);
	}

	findGateway(id: string): Gateway | undefined {
		return this.stored.gateways.find((gateway) => gateway.id === id);
	}

	/** @param id as it stands in a path, so a text */
	findOrganization(id: string): Organization | undefined {
		return this.stored.organizations.find((organization) => String(organization.id) === id);
	}

	/** Stores a gateway, in place of the one that has its id. */
	putGateway(gateway: Gateway): void {
		put(this.stored.gateways, structuredClone(gateway), ({ id }) => id === gateway.id);
	}

	/** Takes a gateway away, if there is one of that id. */
	removeGateway(id: string): void {
		this.stored.gateways = this.stored.gateways.filter((gateway) => gateway.id !== id);
	}

	/** Makes the country premium for the trunk; a second request for the same country replaces the first. */
	setPremium({ premiumCountries }: Trunk, { iso, organizationId, sbcId, premium_available }: TrunkCountryRequest): void {
		// by JSON, which leaves out what is undefined
		const country: PremiumCountry = JSON.parse(JSON.stringify({ iso: iso.toUpperCase(), organizationId, sbcId, premium_available }));
		put(premiumCountries, country, (known) => known.iso === country.iso);
	}

	/** Stores a new customer, whether or not one with the same VAT number exists, and returns it. */
	addCustomer(request: CustomerRequest): Customer {
		// id and createdAt are the service's to give, whatever was sent under these names
		const { vatNumber, pIva, piva, id: _id, createdAt: _createdAt, ...others } = request;
		const canonical = vatNumber ?? pIva ?? piva;
		const id = this.customerCount + 1;
		const customer: Customer = { id, ...(canonical !== undefined && { vatNumber: canonical }), ...others, createdAt: new Date().toISOString() };
		this.stored.customers.push(customer);
		return customer;
	}

	get customerCount(): number {
		return this.stored.customers.length;
	}

	/** What is stored itself, to be read only; of the customers the latest `maxCustomers`. */
	view(maxCustomers = Infinity): Stored {
		return { ...this.stored, customers: this.stored.customers.slice(-maxCustomers) };
	}
}

/** Puts something in the place of another, or at the end where there is none. */
function put<T>(all: T[], added: T, isReplaced: (known: T) => boolean): void {
	const index = all.findIndex(isReplaced);
	all.splice(index === -1 ? all.length : index, 1, added);
}
