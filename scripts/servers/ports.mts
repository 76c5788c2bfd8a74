import { once } from 'node:events';
import net from 'node:net';
import getPort, { portNumbers } from 'get-port';
import { Failure } from '../bootstrap/failure.mjs';

/** Outside the ephemeral ports of Linux and macOS: n8n binds its port seconds after it was chosen, and it must still be free then. */
const OWN_PORTS = { from: 11_000, to: 32_767 };

/** A port that is free now, and likely to stay free. */
export async function anyFreePort(): Promise<number> {
	const start = OWN_PORTS.from + Math.floor((Math.random() * (OWN_PORTS.to - OWN_PORTS.from)) / 2);
	return await getPort({ host: '127.0.0.1', port: portNumbers(start, OWN_PORTS.to) });
}

/** `localhost` may be the first or the second; without an address, a server listens on all of them. */
const ADDRESSES = ['127.0.0.1', '::1', undefined];

/**
 * Throws if this process can't listen on a port, at any address.
 * @param purpose what needs the port @param option of npm start that changes it
 */
export async function requireFreePort(
	port: number,
	{ purpose, option }: { purpose: string; option: string },
): Promise<void> {
	const errors: Array<string | undefined> = [];
	// One after another: they would be in each other's way.
	for (const host of ADDRESSES) errors.push(await listenError(port, host));
	if (errors.includes('EACCES')) {
		throw new Failure(
			`Port ${port}, which ${purpose} needs, is reserved for the administrator, as those below 1024 usually are. ` +
				`Choose a higher one: npm start -- ${option} ${port + 8000}`,
		);
	}
	if (!errors.includes('EADDRINUSE')) return;
	throw new Failure(
		`Port ${port}, which ${purpose} needs, is in use by another program (perhaps npm run sandbox, or an npm start in another clone). ` +
			`End that program, or choose another port: npm start -- ${option} ${port < 65535 ? port + 1 : port - 1}`,
	);
}

/** The system's error code if this process can't listen there. */
async function listenError(port: number, host: string | undefined): Promise<string | undefined> {
	const server = net.createServer();
	try {
		await once(server.listen({ port, host }), 'listening');
		await new Promise((resolve) => server.close(resolve));
		return undefined;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code;
	}
}
