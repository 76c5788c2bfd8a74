import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

import { ApiError } from '../apiError';

/**
 * Rejects requests from other websites, which could otherwise reset the sandbox, or read its records by a host name that
 * resolves to this machine (DNS rebinding). Programs such as curl send neither Origin nor Sec-Fetch-Site.
 * @param serverHost the host that the sandbox listens on
 * @param isPage whether the request is for one of the sandbox's pages, which other sites may link to
 * @throws {ApiError} 403
 */
export function assertOwnOrigin(
	{ host, origin, 'sec-fetch-site': fetchSite }: IncomingHttpHeaders,
	serverHost: string,
	isPage: boolean,
): void {
	const isOwnHost = host === undefined || isOfThisNetwork(host, serverHost);
	const isOwnPage = origin === undefined || origin === `http://${host}`;
	// another port of this machine is "same-site"; a typed address is "none"
	const isOwnSite = isPage || fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none';
	if (isOwnHost && isOwnPage && isOwnSite) return;
	const details = `Host: ${host}, Origin: ${origin}, Sec-Fetch-Site: ${String(fetchSite)}`;
	throw new ApiError(403, 'Requests from other websites are not allowed here', details);
}

/** Whether a host can't be used for DNS rebinding: it is an IP address, or a name that can't be registered. */
function isOfThisNetwork(host: string, serverHost: string): boolean {
	// without the port, and the brackets of an IPv6 address
	const name = host
		.toLowerCase()
		.replace(/:\d*$/, '')
		.replace(/^\[(.*)\]$/, '$1');
	return (
		isIP(name) !== 0 || !name.includes('.') || /\.(localhost|internal)$/.test(name) || name === serverHost.toLowerCase()
	);
}
