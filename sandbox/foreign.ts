import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Why a request must not reach what steers or shows the sandbox; undefined if it may. A web page of someone else could
 * otherwise reset the sandbox of who reads it, or read its books under a name of its own that leads here (DNS
 * rebinding). Programs such as curl send neither Origin nor Sec-Fetch-Site.
 * @param listensOn host that the sandbox was told to listen on
 */
export function refusalOfForeign({ method = 'GET', headers }: IncomingMessage, listensOn: string): string | undefined {
	const { host, origin, 'sec-fetch-site': site } = headers;
	if (host !== undefined && !isOfThisNetwork(nameIn(host), listensOn)) {
		return `The Host of the request is ${host}; accepted are localhost, IP addresses and names that are not on the internet`;
	}
	if (origin !== undefined && origin !== `http://${host}`) {
		return `The request comes from a page of ${origin}; accepted are the sandbox's own pages, and programs, which send no Origin`;
	}
	const reads = method === 'GET' || method === 'HEAD';
	if (!reads && site !== undefined && site !== 'same-origin' && site !== 'none') {
		return `The request comes from a page of another site (Sec-Fetch-Site: ${String(site)})`;
	}
	return undefined;
}

/** Whether nobody else can have made the name lead here: addresses lead nowhere else, and these names can't be bought. */
function isOfThisNetwork(name: string, listensOn: string): boolean {
	return isIP(name) !== 0 || !name.includes('.') || /\.(localhost|internal)$/.test(name) || name === listensOn.toLowerCase();
}

/** The name or address in a Host header, without brackets and port. */
function nameIn(host: string): string {
	return host.toLowerCase().replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}
