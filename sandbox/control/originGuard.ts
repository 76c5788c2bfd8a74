import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

import { ApiError } from '../apiError';

/**
 * Rejects a request of another web page. It could otherwise reset the sandbox of who reads it, or read its store under
 * a name of its own that leads here (DNS rebinding). Programs such as curl send neither Origin nor Sec-Fetch-Site.
 * @param listensOn host that the sandbox was told to listen on
 * @param isPage whether it is for a file of the sandbox's pages, which a link may lead to
 * @throws {ApiError} 403
 */
export function assertOwnOrigin({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders, listensOn: string, isPage: boolean): void {
	if (host !== undefined && !isOfThisNetwork(host, listensOn)) {
		throw notAllowed(`The request's Host header is ${host}; only localhost, IP addresses and local host names are allowed`);
	}
	if (origin !== undefined && origin !== `http://${host}`) {
		throw notAllowed(`The request comes from a page at ${origin}; only the sandbox's own pages, and programs, are allowed`);
	}
	// another port of this machine is "same-site"; an address that a person has typed is "none"
	if (!isPage && site !== undefined && site !== 'same-origin' && site !== 'none') {
		throw notAllowed(`The request comes from a page at another site (Sec-Fetch-Site: ${String(site)})`);
	}
}

const notAllowed = (reason: string) => new ApiError(403, 'Requests from other websites are not allowed here', reason);

/** Whether nobody else can have made the name lead here: addresses lead nowhere else, and these names can't be bought. */
function isOfThisNetwork(host: string, listensOn: string): boolean {
	// without the port, and the brackets of an IPv6 address
	const name = host.toLowerCase().replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
	return isIP(name) !== 0 || !name.includes('.') || /\.(localhost|internal)$/.test(name) || name === listensOn.toLowerCase();
}
