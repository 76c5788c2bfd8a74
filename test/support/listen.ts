import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const chosen = new Set<number>();

/**
 * Lets a server listen on a free port that no other server of this file has had: what the node keeps for an address,
 * such as a token, would be taken for the new server's. @returns the port
 */
export async function listenOnNewPort(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	if (!chosen.has(port)) {
		chosen.add(port);
		return port;
	}
	await new Promise((resolve) => server.close(resolve));
	return await listenOnNewPort(server);
}
