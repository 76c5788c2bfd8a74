import { createCustomer } from './customer/create';
import { getDssGateway } from './dssGateway/get';
import { setPremiumDssTrunk } from './dssTrunk/setPremium';
import type { Resource } from './operation';

/** Its operation only reads, because a tool is added without choosing an operation. */
export const DEFAULT_RESOURCE = 'dssGateway';

/** Every operation of the node, by resource, in the order of the editor. */
export const RESOURCES: Resource[] = [
	{ name: 'Customer', value: 'customer', default: 'add', operations: [createCustomer] },
	{ name: 'VoIP DSS Gateway', value: 'dssGateway', default: 'get', operations: [getDssGateway] },
	{ name: 'VoIP DSS Trunk', value: 'dssTrunk', default: 'setPremium', operations: [setPremiumDssTrunk] },
];
