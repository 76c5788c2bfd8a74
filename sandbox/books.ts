import { ApiError } from './apiError';
import type { Changes } from './live/changes';
import type { Customer, CustomerRequest, Gateway, Organization, TrunkCountryRequest, Trunk } from './records';
import { createSeed } from './seed';

/** A copy of everything that a sandbox holds. */
export interface BooksSnapshot {
	organizations: Organization[];
	trunks: Trunk[];
	gateways: Gateway[];
	/** In the order of their creation; what was created twice is here twice. */
	customers: Customer[];
}

/** What may be stored, in characters of JSON: more than 100,000 customers, and no more than a process has memory for. */
export const MOST_STORED = 32 * 1024 * 1024;

/** Counted for each object and list besides its JSON: an empty one takes memory too. */
const OBJECT_SIZE = 100;

/** The records of one sandbox, in memory. It stores what it is given, for as long as there is room. */
export class Books {
	private organizations = new Map<string, Organization>();
	private trunks = new Map<number, Trunk>();
	private gateways = new Map<string, Gateway>();
	private customers: Customer[] = [];
	/** Of all that was stored, as MOST_STORED counts it. */
	private size = 0;

	/** @param changes told of each record that is stored */
	constructor(private readonly changes: Changes) {
		this.reset();
	}

	/** Puts everything back to the seed. */
	reset(): void {
		const seed = createSeed();
		this.organizations = new Map(seed.organizations.map((organization) => [String(organization.id), organization]));
		this.trunks = new Map(seed.trunks.map((trunk) => [trunk.id, trunk]));
		this.gateways = new Map(seed.gateways.map((gateway) => [gateway.id, gateway]));
		this.customers = [];
		this.size = seed.gateways.reduce((size, gateway) => size + sizeOf(gateway), 0);
	}

	findTrunk(id: number): Trunk | undefined {
		return this.trunks.get(id);
	}

	findGateway(id: string): Gateway | undefined {
		return this.gateways.get(id);
	}

	get allGateways(): Gateway[] {
		return [...this.gateways.values()];
	}

	/**
	 * Stores a gateway, in place of the one that has its id.
	 * @throws {ApiError} 507 if there is no room
	 */
	putGateway(gateway: Gateway): void {
		this.makeRoom(gateway, this.gateways.get(gateway.id));
		this.gateways.set(gateway.id, structuredClone(gateway));
		this.changes.tell({ kind: 'gateways' });
	}

	/** Forgets a gateway, if there is one. */
	removeGateway(id: string): void {
		this.size -= sizeOf(this.gateways.get(id));
		this.gateways.delete(id);
		this.changes.tell({ kind: 'gateways' });
	}

	/** @param id as it stands in a path, so a text */
	findOrganization(id: string): Organization | undefined {
		return this.organizations.get(id);
	}

	/**
	 * Makes the country premium for the trunk; a second request for the same country replaces the first.
	 * @throws {ApiError} 507 if there is no room
	 */
	setPremium(trunk: Trunk, request: TrunkCountryRequest): void {
		const { idTrunk: _, iso, organizationId, sbcId, premium_available } = request;
		const country = {
			iso: iso.toUpperCase(),
			...(organizationId !== undefined && { organizationId }),
			...(sbcId !== undefined && { sbcId }),
			...(premium_available !== undefined && { premium_available }),
		};
		const index = trunk.premiumCountries.findIndex((known) => known.iso === country.iso);
		this.makeRoom(country, trunk.premiumCountries[index]);
		if (index === -1) trunk.premiumCountries.push(country);
		else trunk.premiumCountries[index] = country;
		this.changes.tell({ kind: 'trunk', trunk });
	}

	/**
	 * Stores a new customer, whether or not one with the same VAT number exists, and returns the record.
	 * @throws {ApiError} 507 if there is no room
	 */
	addCustomer(request: CustomerRequest): Customer {
		// id and createdAt are the service's to give, whatever was sent under these names
		const { vatNumber, pIva, piva, id: _id, createdAt: _createdAt, ...otherFields } = request;
		const canonical = vatNumber ?? pIva ?? piva;
		const customer: Customer = {
			id: this.customers.length + 1,
			...(canonical !== undefined && { vatNumber: canonical }),
			...otherFields,
			createdAt: new Date().toISOString(),
		};
		this.makeRoom(customer);
		this.customers.push(customer);
		this.changes.tell({ kind: 'customer', customer });
		return customer;
	}

	get customerCount(): number {
		return this.customers.length;
	}

	/** How many countries are premium, over all trunks. */
	get premiumCount(): number {
		return [...this.trunks.values()].reduce((count, { premiumCountries }) => count + premiumCountries.length, 0);
	}

	/** The records themselves, to be read only; of the customers the latest `mostCustomers`. */
	latest(mostCustomers: number): BooksSnapshot & { customerCount: number } {
		return {
			organizations: [...this.organizations.values()],
			trunks: [...this.trunks.values()],
			gateways: [...this.gateways.values()],
			customers: this.customers.slice(-mostCustomers),
			customerCount: this.customers.length,
		};
	}

	/** A copy: what is done to it does not change the books. */
	snapshot(): BooksSnapshot {
		return structuredClone({
			organizations: [...this.organizations.values()],
			trunks: [...this.trunks.values()],
			gateways: [...this.gateways.values()],
			customers: this.customers,
		});
	}

	/** Counts a record that is about to be stored in place of another. */
	private makeRoom(record: object, replaced?: object): void {
		const size = this.size + sizeOf(record) - sizeOf(replaced);
		if (size > MOST_STORED) throw new ApiError(507, 'The sandbox is full', `It stores at most ${MOST_STORED} characters of JSON. POST /_sandbox/reset empties it`);
		this.size = size;
	}
}

function sizeOf(record: object | undefined): number {
	if (record === undefined) return 0;
	const json = JSON.stringify(record);
	return json.length + OBJECT_SIZE * (json.match(/[{[]/g) ?? []).length;
}
