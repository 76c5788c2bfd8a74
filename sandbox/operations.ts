import type { Context } from 'openapi-backend';

import { ApiError, type Reply } from './apiError';
import { replaceOrAppend, type SandboxState } from './state';
import { type Client, CLIENTS, type Customer, type PremiumCountry } from './store/seed';

/** Handles a request that openapi.yaml has validated. Returns the response, or throws an ApiError. */
type Operation = (context: Context, state: SandboxState) => Reply;

/** By operationId in openapi.yaml. Operations that are missing here respond with their example. */
export const operations: Record<string, Operation> = {
	login({ request }, { tokens }) {
		const { clientId, clientSecret } = request.requestBody as Client;
		const client = CLIENTS.find((each) => each.clientId === clientId && each.clientSecret === clientSecret);
		if (client) return { status: 200, body: { access_token: tokens.issue(client) } };
		const details = 'Check clientId and clientSecret: they do not match any client of this service';
		throw new ApiError(401, 'The client id or the API key is not valid', details);
	},

	setPremium({ request }, { records }) {
		const body = request.requestBody as PremiumCountry & { idTrunk: number };
		const { idTrunk, iso, organizationId, sbcId, premium_available } = body;
		const trunk = records.trunks.find(({ id }) => id === idTrunk);
		if (!trunk) throw createNotFoundError(`No trunk has the id ${idTrunk}`);
		if (trunk.broken) {
			const details = { trunk: trunk.id, reason: 'This trunk is broken on purpose' };
			throw new ApiError(500, `Trunk ${trunk.id} cannot be updated`, details);
		}
		// JSON omits what is undefined
		const country = JSON.parse(JSON.stringify({ iso: iso.toUpperCase(), organizationId, sbcId, premium_available }));
		replaceOrAppend(trunk.premiumCountries, country, 'iso');
		return { status: 204 };
	},

	getGateway,
	getGatewayOfOrganization: getGateway,

	addCustomer({ request }, { records: { customers } }) {
		// the service sets id and createdAt, and ignores what the client sent for them
		const { vatNumber, pIva, piva, id: _id, createdAt: _createdAt, ...others } = request.requestBody as Customer;
		const vatNumbers = Object.entries({ vatNumber, pIva, piva }).filter(([, value]) => value !== undefined);
		if (new Set(vatNumbers.map(([, value]) => value)).size > 1) {
			throw new ApiError(400, 'vatNumber and its aliases have different values', Object.fromEntries(vatNumbers));
		}
		const vatField = vatNumbers[0] && { vatNumber: vatNumbers[0][1] as string };
		const customer = { id: customers.length + 1, ...vatField, ...others, createdAt: new Date().toISOString() };
		customers.push(customer);
		return { status: 201, body: customer };
	},
};

function getGateway({ request: { params } }: Context, { records }: SandboxState): Reply {
	const { gatewayId, organizationId } = params as Record<string, string>;
	const gateway = records.gateways.find(({ id }) => id === gatewayId);
	if (!gateway) throw createNotFoundError(`No gateway has the id ${gatewayId}`);
	if (organizationId === undefined || organizationId === String(gateway.organizationId))
		return { status: 200, body: gateway };
	throw createNotFoundError(`Gateway ${gatewayId} does not belong to organization ${organizationId}`);
}

const createNotFoundError = (details: string) => new ApiError(404, 'The requested DSS resource is not found', details);
