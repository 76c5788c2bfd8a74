import type { IHttpRequestOptions } from 'n8n-workflow';

import { InvalidParameterError } from './invalidParameterError';
import { isBlank } from './invisibleCharacters';

/** n8n's "Request Options", the collection that it adds to a declarative node. */
export interface RequestOptions {
	connection: Pick<IHttpRequestOptions, 'proxy' | 'timeout' | 'skipSslCertificateValidation'>;
	/** Items per batch; undefined without batching. */
	batchSize?: number;
	/** From the start of a batch to the start of the next, as in n8n's routing executor. */
	batchIntervalMs?: number;
}

interface GivenOptions {
	batching?: { batch?: { batchSize?: unknown; batchInterval?: unknown } };
	proxy?: unknown;
	timeout?: number;
	allowUnauthorizedCerts?: boolean;
}

/** @throws InvalidParameterError for a proxy that is no URL */
export function parseRequestOptions(given: unknown): RequestOptions {
	const { batching, proxy, timeout, allowUnauthorizedCerts } = (given ?? {}) as GivenOptions;
	// An expression may return anything.
	const batchSize = Number(batching?.batch?.batchSize);
	const batchIntervalMs = Number(batching?.batch?.batchInterval);
	const timeoutMs = Math.round(Number(timeout));
	return {
		connection: {
			...(!isBlank(proxy) && { proxy: parseProxy(proxy) }),
			...(timeoutMs >= 1 && { timeout: timeoutMs }),
			...(allowUnauthorizedCerts === true && { skipSslCertificateValidation: true }),
		},
		// As n8n's description of the field says: -1 turns batches off, and 0 is 1.
		...(batchIntervalMs > 0 &&
			!(batchSize < 0) && { batchIntervalMs, batchSize: batchSize >= 1 ? Math.floor(batchSize) : 1 }),
	};
}

function parseProxy(given: unknown): IHttpRequestOptions['proxy'] {
	try {
		const url = new URL(typeof given === 'string' ? given : '');
		// An IPv6 address keeps its brackets: n8n makes a URL of it, and uses no proxy if that fails.
		const [protocol, host] = [url.protocol.slice(0, -1), url.hostname];
		const auth = { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
		const port = Number(url.port || (protocol === 'https' ? 443 : 80));
		if (host !== '') return { host, port, protocol, ...(url.username !== '' && { auth }) };
	} catch {
		// No URL, or a user name that is not percent-encoded.
	}
	// The part before an "@" may be a password.
	const shown = typeof given === 'string' ? given.replace(/^.*@/s, '') : given;
	throw new InvalidParameterError(
		'Request Options → Proxy',
		shown,
		'Enter the URL of the proxy, e.g. http://proxy.example.com:3128',
	);
}
