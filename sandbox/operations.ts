import { createHash, timingSafeEqual } from 'node:crypto';

import { ApiError } from './apiError';
import type { Books } from './books';
import type { Client, CustomerRequest, Gateway, TrunkCountryRequest } from './records';
import type { Reply } from './reply';
import type { Tokens } from './tokens';

/** What the operations work on. */
export interface Service {
	books: Books;
	clients: Client[];
	tokens: Tokens;
}

/** A request that openapi.yaml has found valid. */
export interface ValidRequest {
	/** Decoded. */
	pathParameters: Record<string, string>;
	body: unknown;
}

/** An operation of the API. Returns its reply, or throws an ApiError. */
export type Operation = (service: Service, request: ValidRequest) => Reply | Promise<Reply>;

const login: Operation = async ({ clients, tokens }, { body }) => {
	// The shape is TokenRequest: openapi.yaml was checked before.
	const { clientId, clientSecret } = body as { clientId: string; clientSecret: string };
	const client = clients.find((known) => known.clientId === clientId);
	if (!client || !sameText(client.clientSecret, clientSecret)) {
		throw new ApiError(
			401,
			'The client id or the API key is not valid',
			'Check clientId and clientSecret: no client of this service has this pair',
		);
	}
	return { status: 200, body: { access_token: await tokens.issue(client) } };
};

const setPremium: Operation = ({ books }, { body }) => {
	// The shape was checked against openapi.yaml before.
	const request = body as TrunkCountryRequest;
	const trunk = books.findTrunk(request.idTrunk);
	if (!trunk) throw notFound(`No trunk has the id ${request.idTrunk}`);
	if (trunk.broken) {
		throw new ApiError(500, `Trunk ${trunk.id} cannot be updated`, {
			trunk: trunk.id,
			reason: 'This trunk is broken on purpose',
		});
	}
	books.setPremium(trunk, request);
	return { status: 204 };
};

const getGateway: Operation = ({ books }, { pathParameters }) => ({
	status: 200,
	body: gatewayIn(books, pathParameters),
});

const getGatewayOfOrganization: Operation = ({ books }, { pathParameters }) => {
	const gateway = gatewayIn(books, pathParameters);
	const organizationId = pathParameters.organizationId ?? '';
	if (!books.findOrganization(organizationId)) throw notFound(`No organization has the id ${organizationId}`);
	if (String(gateway.organizationId) !== organizationId) {
		throw notFound(`Gateway ${gateway.id} does not belong to organization ${organizationId}`);
	}
	return { status: 200, body: gateway };
};

const addCustomer: Operation = ({ books }, { body }) => {
	// The shape was checked against openapi.yaml before.
	const request = body as CustomerRequest;
	const { vatNumber, pIva, piva } = request;
	const given = Object.entries({ vatNumber, pIva, piva }).filter(([, value]) => value !== undefined);
	if (new Set(given.map(([, value]) => value)).size > 1) {
		throw new ApiError(400, 'vatNumber and its aliases have different values', Object.fromEntries(given));
	}
	return { status: 201, body: books.addCustomer(request) };
};

/** The operations by their operationId in openapi.yaml. One that is not here is answered by its example: see example.ts. */
export const operations: Record<string, Operation> = {
	login,
	setPremium,
	getGateway,
	getGatewayOfOrganization,
	addCustomer,
};

function gatewayIn(books: Books, pathParameters: Record<string, string>): Gateway {
	const gatewayId = pathParameters.gatewayId ?? '';
	const gateway = books.findGateway(gatewayId);
	if (!gateway) throw notFound(`No gateway has the id ${gatewayId}`);
	return gateway;
}

function notFound(details: string): ApiError {
	return new ApiError(404, 'The requested DSS resource is not found', details);
}

/** Compares without telling by the time taken how much of the key was right: a habit, even where it does not matter. */
function sameText(expected: string, given: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(expected), digest(given));
}
