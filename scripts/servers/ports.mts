import { once } from 'node:events';
import net from 'node:net';
import getPort, { portNumbers } from 'get-port';
import { Failure } from '../bootstrap/failure.mjs';

/** Outside the ephemeral ports of Linux and macOS: n8n binds its port seconds after it was chosen, and it must still be free then. */
const PORT_RANGE = { from: 11_000, to: 32_767 };

/** A port that is free now, and likely to stay free. */
export async function findFreePort(): Promise<number> {
	const start = PORT_RANGE.from + Math.floor((Math.random() * (PORT_RANGE.to - PORT_RANGE.from)) / 2);
	return await getPort({ host: '127.0.0.1', port: portNumbers(start, PORT_RANGE.to) });
}

/** `localhost` may be the first or the second; without an address, a server listens on all of them. */
const ADDRESSES: Array<string | undefined> = ['127.0.0.1', '::1', undefined];

/** What is wrong with a port, by the system's error code. */
const REASONS: Record<string, string> = {
	EACCES: 'is reserved for the administrator, as those below 1024 usually are. Choose a higher one',
	EADDRINUSE: 'is in use by another program. End that program, or choose another port',
};

/** Throws if this process can't listen on a port. @param option that changes it @param hosts by default all addresses */
export async function requireFreePort(port: number, option: string, hosts = ADDRESSES): Promise<void> {
	// One after another: they would be in each other's way.
	for (const host of hosts) {
		const server = net.createServer();
		try {
			await once(server.listen({ port, host }), 'listening');
			await new Promise((resolve) => server.close(resolve));
		} catch (error) {
			const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
			if (reason) throw new Failure(`Port ${port} ${reason} (${option}).`);
		}
	}
}
