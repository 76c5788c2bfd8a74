import { randomBytes, randomUUID } from 'node:crypto';

import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';

import { ApiError } from './apiError';
import type { Client, Permission } from './store/types';

/** What a token says about its bearer. */
export interface Bearer {
	clientId: string;
	permissions: Permission[];
}

/** A token whose signature was checked once, so that it need not be checked for every request. */
interface KnownToken extends Bearer {
	/** Milliseconds since the epoch. */
	expiresAt: number;
	generation: number;
	/** Authorized requests so far. */
	uses: number;
}

const ISSUER = 'voice-admin-sandbox';
const LOG_IN_AGAIN = 'Log in again at /auth/api-key/login';

/** Past this many the cache of checked tokens is emptied; they are only checked again. */
const MAX_KNOWN_TOKENS = 10_000;

/** Issues access tokens and checks them. The key is random, so a token is worth nothing to another sandbox. */
export class Tokens {
	private readonly key = randomBytes(32);
	private readonly known = new Map<string, KnownToken>();
	private generation = 0;

	/** How many authorized requests each token is good for. A fault sets this; there is no limit otherwise. */
	usesPerToken = Infinity;

	/** The newest token of each client, where the others are not valid any more. */
	private readonly newest = new Map<string, string>();

	/**
	 * @param lifetimeSeconds fractions allowed
	 * @param headerName header that carries the token
	 * @param headerPrefix word before the token; empty if the header holds the bare token
	 * @param newestOnly whether a new token of a client ends its earlier ones
	 */
	constructor(
		private readonly lifetimeSeconds: number,
		readonly headerName: string,
		private readonly headerPrefix: string,
		private readonly newestOnly = false,
	) {}

	/** A signed JWT for the client. */
	async issue(client: Client): Promise<string> {
		const now = Date.now() / 1000;
		const token = await new SignJWT({ permissions: client.permissions, generation: this.generation })
			.setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
			.setIssuer(ISSUER)
			.setSubject(client.clientId)
			.setJti(randomUUID())
			.setIssuedAt(Math.floor(now))
			.setExpirationTime(now + this.lifetimeSeconds)
			.sign(this.key);
		if (this.newestOnly) this.newest.set(client.clientId, token);
		return token;
	}

	/** Makes every token issued so far invalid. */
	expireAll(): void {
		this.generation += 1;
		this.known.clear();
	}

	/**
	 * Who sent the request, if it may do what it needs to.
	 * @param header value of the header that carries the token
	 * @throws {ApiError} 401 if there is no token, or it is malformed, unknown or expired; 403 if a permission is lacking
	 */
	async authorize(header: string | undefined, needed: string[]): Promise<Bearer> {
		if (header === undefined || header === '') throw this.unauthorized('There is no access token', `Expected the header ${this.expectedHeader()}`);
		const token = this.tokenIn(header);
		const known = this.known.get(token) ?? (await this.check(token));
		if (known.generation !== this.generation || known.expiresAt <= Date.now() || known.uses >= this.usesPerToken) {
			throw this.unauthorized('The access token has expired', LOG_IN_AGAIN);
		}
		if (this.newestOnly && this.newest.get(known.clientId) !== token) throw this.unauthorized('There is a newer access token', LOG_IN_AGAIN);
		known.uses += 1;
		const lacking = needed.filter((permission) => !known.permissions.includes(permission as Permission));
		if (lacking.length > 0) throw new ApiError(403, 'This client does not have permission for this operation', `Client ${known.clientId} does not have the permission: ${lacking.join(', ')}`);
		return known;
	}

	private tokenIn(header: string): string {
		if (this.headerPrefix === '') return header.trim();
		const [prefix, token, ...rest] = header.trim().split(/ +/);
		// schemes are case-insensitive (RFC 9110)
		if (prefix?.toLowerCase() === this.headerPrefix.toLowerCase() && token !== undefined && rest.length === 0) return token;
		throw this.unauthorized('The access token is malformed', `Expected the header ${this.expectedHeader()}`);
	}

	private async check(token: string): Promise<KnownToken> {
		try {
			// Expiry is left to the caller, which knows fractions of a second; jose rounds to whole seconds.
			const options = { algorithms: ['HS256'], issuer: ISSUER, clockTolerance: Number.MAX_SAFE_INTEGER };
			const { payload } = await jwtVerify<{ permissions: Permission[]; generation: number }>(token, this.key, options);
			// While the signature was being checked another request may have brought the same token.
			const concurrent = this.known.get(token);
			if (concurrent) return concurrent;
			const { sub: clientId = '', exp = 0, permissions, generation } = payload;
			const known: KnownToken = { clientId, permissions, expiresAt: exp * 1000, generation, uses: 0 };
			if (this.known.size >= MAX_KNOWN_TOKENS) this.known.clear();
			this.known.set(token, known);
			return known;
		} catch (error) {
			const isMalformed = error instanceof joseErrors.JWSInvalid || error instanceof joseErrors.JWTInvalid;
			if (isMalformed) throw this.unauthorized('The access token is malformed', 'It is not a JWT');
			throw this.unauthorized('The access token is not known', `It was not issued by this service. ${LOG_IN_AGAIN}`);
		}
	}

	private expectedHeader(): string {
		return `${this.headerName}: ${[this.headerPrefix, '<access token>'].filter(Boolean).join(' ')}`;
	}

	private unauthorized(message: string, details: string): ApiError {
		const hasScheme = this.headerName.toLowerCase() === 'authorization' && this.headerPrefix !== '';
		return new ApiError(401, message, details, hasScheme ? { 'WWW-Authenticate': this.headerPrefix } : {});
	}
}
