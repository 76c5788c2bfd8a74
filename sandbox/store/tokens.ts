import { randomBytes, randomUUID } from 'node:crypto';

import { ApiError } from '../apiError';
import type { Client } from './seed';

const HEADER_HINT = 'Expected the header Authorization: Bearer ACCESS_TOKEN';
const LOGIN_HINT = 'Log in again at /auth/api-key/login';

/** Issues and checks access tokens: JSON Web Tokens, like the provider's, but kept in memory, so a token of another sandbox is unknown. */
export class Tokens {
	/** In order of issue; `uses` counts authorized requests. */
	private readonly entries = new Map<string, { client: Client; expiresAt: number; uses: number }>();

	/** Authorized requests that each token is valid for. Set by the fault tokenExpires. */
	usesPerToken = Infinity;

	constructor(private readonly lifetimeSeconds: number) {}

	issue(client: Client): string {
		const now = Date.now();
		// all have the same lifetime, so expired ones come first
		for (const [token, { expiresAt }] of this.entries) {
			if (expiresAt > now) break;
			this.entries.delete(token);
		}
		const { clientId: sub, permissions } = client;
		const expiresAt = now + this.lifetimeSeconds * 1000;
		const claims = { sub, permissions, jti: randomUUID(), iat: Math.floor(now / 1000), exp: expiresAt / 1000 };
		const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)));
		const token = [...parts, randomBytes(32)].map((part) => part.toString('base64url')).join('.');
		this.entries.set(token, { client, expiresAt, uses: 0 });
		return token;
	}

	/**
	 * Authorizes a request, and counts it as a use of its token.
	 * @param header value of the Authorization header
	 * @throws {ApiError} 401 if the token is missing, unknown or expired; 403 if a permission is missing
	 */
	authorize(header: string | undefined, requiredPermissions: string[]): void {
		// schemes are case-insensitive (RFC 9110)
		const token = /^bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1];
		if (token === undefined) throw createUnauthorizedError('There is no access token', HEADER_HINT);
		const entry = this.entries.get(token);
		if (!entry) throw createUnauthorizedError('The access token is not known', LOGIN_HINT);
		if (entry.expiresAt <= Date.now() || entry.uses >= this.usesPerToken) {
			throw createUnauthorizedError('The access token has expired', LOGIN_HINT);
		}
		entry.uses += 1;
		const { clientId, permissions } = entry.client;
		const missingPermissions = requiredPermissions.filter((permission) => !permissions.includes(permission));
		if (missingPermissions.length === 0) return;
		const details = `Client ${clientId} does not have the permission: ${missingPermissions.join(', ')}`;
		throw new ApiError(403, 'This client does not have permission for this operation', details);
	}
}

const createUnauthorizedError = (message: string, details: string) =>
	new ApiError(401, message, details, { 'WWW-Authenticate': 'Bearer' });
