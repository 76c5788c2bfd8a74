import type { Client, Gateway, Organization, Trunk } from './records';

/** May do everything. */
export const DEMO_CLIENT: Client = {
	clientId: 'demo-client',
	clientSecret: 'demo-key-not-a-secret',
	permissions: ['read', 'write'],
};

/** May read gateways; setting premium and creating customers are refused with 403. */
export const READ_ONLY_CLIENT: Client = {
	clientId: 'demo-reader',
	clientSecret: 'demo-reader-key-not-a-secret',
	permissions: ['read'],
};

/** Setting premium on this trunk always gives 500. */
export const BROKEN_TRUNK_ID = 1500;

export interface Seed {
	clients: Client[];
	organizations: Organization[];
	trunks: Trunk[];
	gateways: Gateway[];
}

/** The records that a sandbox starts with: a fresh copy at each call, so that two sandboxes never share one. */
export function createSeed(): Seed {
	return {
		clients: [DEMO_CLIENT, READ_ONLY_CLIENT],
		organizations: [
			{ id: 10, name: 'Milano Telefonia' },
			{ id: 20, name: 'Torino Voce' },
			{ id: 30, name: 'Palermo Reti' },
		],
		trunks: [
			trunk(1001, 'Milano Main', 10, 1),
			trunk(1002, 'Milano Backup', 10, 2),
			trunk(1003, 'Milano Call Center', 10, 1),
			trunk(1004, 'Milano International', 10, 2),
			trunk(1005, 'Torino Main', 20, 1),
			trunk(1006, 'Torino Backup', 20, 2),
			trunk(1007, 'Torino Call Center', 20, 1),
			trunk(1008, 'Torino International', 20, 2),
			trunk(1009, 'Palermo Main', 30, 1),
			trunk(1010, 'Palermo Backup', 30, 2),
			trunk(1011, 'Palermo Call Center', 30, 1),
			trunk(1012, 'Palermo International', 30, 2),
			{ ...trunk(BROKEN_TRUNK_ID, 'Broken On Purpose', 30, 3), broken: true },
		],
		gateways: [
			{ id: '1', name: 'Milano Elastic 1', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: 'milano-1.sip.sandbox.example' },
			{ id: '2', name: 'Milano PBX', type: 'pbx', organizationId: 10 },
			{ id: '3', name: 'Milano Carrier', type: 'carrier', organizationId: 10, terminationUri: null },
			{ id: '4', name: 'Milano Elastic 2', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: 'milano-2.sip.sandbox.example' },
			{ id: '5', name: 'Torino Elastic 1', type: 'elastic-sip-trunk', organizationId: 20, terminationUri: 'torino-1.sip.sandbox.example' },
			{ id: '6', name: 'Torino PBX', type: 'pbx', organizationId: 20 },
			{ id: '7', name: 'Torino Carrier', type: 'carrier', organizationId: 20, terminationUri: null },
			{ id: '8', name: 'Torino Elastic 2', type: 'elastic-sip-trunk', organizationId: 20, terminationUri: 'torino-2.sip.sandbox.example' },
			{ id: '9', name: 'Palermo Elastic 1', type: 'elastic-sip-trunk', organizationId: 30, terminationUri: 'palermo-1.sip.sandbox.example' },
			{ id: '10', name: 'Palermo PBX', type: 'pbx', organizationId: 30 },
			{ id: '11', name: 'Palermo Carrier', type: 'carrier', organizationId: 30, terminationUri: null },
			{ id: '12', name: 'Palermo Elastic 2', type: 'elastic-sip-trunk', organizationId: 30, terminationUri: 'palermo-2.sip.sandbox.example' },
		],
	};
}

function trunk(id: number, name: string, organizationId: number, sbcId: number): Trunk {
	return { id, name, organizationId, sbcId, premiumCountries: [] };
}
