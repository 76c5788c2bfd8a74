import { ApiError } from './apiError';
import type { Reply } from './apiError';
import type { Tokens } from './auth';
import type { Profile } from './profiles';
import type { Store } from './store/store';
import type { Client, CustomerRequest, Gateway, TrunkCountryRequest } from './store/types';

/** What the operations work on. */
export interface Service {
	store: Store;
	clients: Client[];
	tokens: Tokens;
	/** Whose manners the sandbox has; its own by default. */
	profile?: Profile;
}

/** A request that is valid by openapi.yaml. */
export interface ValidRequest {
	/** Decoded. */
	pathParameters: Record<string, string>;
	/** Of the shape that openapi.yaml describes. */
	body: unknown;
}

/** An operation of the API. Returns its reply, or throws an ApiError. */
export type Operation = (service: Service, request: ValidRequest) => Reply;

/** The operations by their operationId in openapi.yaml. One that is not here is answered by its example. */
export const operations: Record<string, Operation> = {
	login({ clients, tokens, profile }, { body }) {
		const { clientId, clientSecret } = body as { clientId: string; clientSecret: string };
		const client = clients.find((known) => known.clientId === clientId && known.clientSecret === clientSecret);
		if (!client) {
			throw new ApiError(401, 'The client id or the API key is not valid', 'Check clientId and clientSecret: they do not match any client of this service');
		}
		return { status: 200, body: { access_token: tokens.issue(client), ...profile?.login } };
	},

	setPremium({ store }, { body }) {
		const request = body as TrunkCountryRequest;
		const trunk = store.findTrunk(request.idTrunk);
		if (!trunk) throw notFound(`No trunk has the id ${request.idTrunk}`);
		if (trunk.broken) throw new ApiError(500, `Trunk ${trunk.id} cannot be updated`, { trunk: trunk.id, reason: 'This trunk is broken on purpose' });
		store.setPremium(trunk, request);
		return { status: 204 };
	},

	getGateway({ store }, { pathParameters }) {
		return { status: 200, body: gatewayIn(store, pathParameters) };
	},

	getGatewayOfOrganization({ store }, { pathParameters }) {
		const gateway = gatewayIn(store, pathParameters);
		const { organizationId = '' } = pathParameters;
		if (!store.findOrganization(organizationId)) throw notFound(`No organization has the id ${organizationId}`);
		if (String(gateway.organizationId) !== organizationId) throw notFound(`Gateway ${gateway.id} does not belong to organization ${organizationId}`);
		return { status: 200, body: gateway };
	},

	addCustomer({ store }, { body }) {
		const request = body as CustomerRequest;
		const { vatNumber, pIva, piva } = request;
		const given = Object.entries({ vatNumber, pIva, piva }).filter(([, value]) => value !== undefined);
		if (new Set(given.map(([, value]) => value)).size > 1) {
			throw new ApiError(400, 'vatNumber and its aliases have different values', Object.fromEntries(given));
		}
		return { status: 201, body: store.addCustomer(request) };
	},
};

function gatewayIn(store: Store, { gatewayId = '' }: Record<string, string>): Gateway {
	const gateway = store.findGateway(gatewayId);
	if (!gateway) throw notFound(`No gateway has the id ${gatewayId}`);
	return gateway;
}

function notFound(details: string): ApiError {
	return new ApiError(404, 'The requested DSS resource is not found', details);
}
