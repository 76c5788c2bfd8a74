import type { IHttpRequestOptions } from 'n8n-workflow';

import { InvalidParameterError, isBlank } from '../parameters/invalidParameterError';
import { asUrl } from '../transport/auth/credential';
import type { ConnectionOptions } from '../transport/request';

/** The collection "Request Options", which n8n adds to a declarative node, as an item's expressions give it. */
interface RequestOptions {
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	proxy?: unknown;
	timeout?: number;
	allowUnauthorizedCerts?: boolean;
}

/** How a run's items are sent in batches, as n8n's routing executor does: each begins so long after the one before. */
export interface Batching {
	/** Items of a batch; Infinity without batching. */
	size: number;
	intervalMs: number;
}

export function batchingOf(given: unknown): Batching {
	const { batchSize, batchInterval } = (given as RequestOptions | null)?.batching?.batch ?? {};
	// An expression may give text.
	const [size, intervalMs] = [Number(batchSize), Number(batchInterval)];
	return intervalMs > 0 ? { size: size > 0 ? size : 1, intervalMs } : { size: Infinity, intervalMs: 0 };
}

/** How the requests of an item are sent. @throws InvalidParameterError for a proxy that is no URL */
export function connectionOf(given: unknown): ConnectionOptions {
	const { proxy, timeout, allowUnauthorizedCerts } = (given ?? {}) as RequestOptions;
	return {
		...(!isBlank(proxy) && { proxy: parseProxy(proxy) }),
		...(timeout && { timeout }),
		...(allowUnauthorizedCerts === true && { skipSslCertificateValidation: true }),
	};
}

function parseProxy(given: unknown): IHttpRequestOptions['proxy'] {
	const url = typeof given === 'string' ? asUrl(given.trim()) : undefined;
	const [host, username, password] = url ? [url.hostname.replace(/^\[|\]$/g, ''), decoded(url.username), decoded(url.password)] : [];
	if (!url || !host || username === undefined || password === undefined) {
		// What stands before an "@" may be a password.
		const shown = typeof given === 'string' ? given.replace(/^.*@/s, '') : given;
		throw new InvalidParameterError('Request Options → Proxy', shown, 'Enter the URL of the proxy, e.g. http://proxy.example.com:3128');
	}
	const protocol = url.protocol.slice(0, -1);
	const port = Number(url.port || (protocol === 'https' ? 443 : 80));
	return { host, port, protocol, ...(username !== '' && { auth: { username, password } }) };
}

/** @returns undefined for text that is not percent-encoded */
function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
