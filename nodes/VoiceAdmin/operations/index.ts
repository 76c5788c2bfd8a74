import { create } from './customer/create';
import { get } from './dssGateway/get';
import { setPremium } from './dssTrunk/setPremium';
import type { Resource } from './operation';

/** Every operation of the node, by resource, in the order of the editor. */
export const RESOURCES: Resource[] = [
	{ name: 'Customer', value: 'customer', default: 'add', operations: [create] },
	{ name: 'VoIP DSS Gateway', value: 'dssGateway', default: 'get', operations: [get] },
	{ name: 'VoIP DSS Trunk', value: 'dssTrunk', default: 'setPremium', operations: [setPremium] },
];
