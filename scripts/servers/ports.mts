import { once } from 'node:events';
import net from 'node:net';
import getPort, { portNumbers } from 'get-port';
import { Failure } from '../bootstrap/failure.mjs';

const LOOPBACKS = ['127.0.0.1', '::1'];

/** Outside what Linux and macOS give to who asks for any port: n8n listens seconds after its port was chosen. */
const OWN_PORTS = { from: 11_000, to: 32_767 };

/** A port that is free just now, and likely to stay so, for what nobody needs to know the port of. */
export async function anyFreePort(): Promise<number> {
	const start = OWN_PORTS.from + Math.floor((Math.random() * (OWN_PORTS.to - OWN_PORTS.from)) / 2);
	return await getPort({ host: '127.0.0.1', port: portNumbers(start, OWN_PORTS.to) });
}

/**
 * Refuses a port that something else listens on. Both loopback addresses count: `localhost` means either.
 * @param use what the port is for, and the option of npm start that changes it
 */
export async function requireFreePort(port: number, { purpose, option }: { purpose: string; option: string }): Promise<void> {
	const isTaken = (await Promise.all(LOOPBACKS.map((host) => isTakenAt(host, port)))).includes(true);
	if (!isTaken) return;
	throw new Failure(
		`Port ${port}, which ${purpose} needs, is in use by another program (perhaps npm run sandbox, or an npm start in another clone). ` +
			`End that program, or choose another port: npm start -- ${option} ${port < 65535 ? port + 1 : port - 1}`,
	);
}

async function isTakenAt(host: string, port: number): Promise<boolean> {
	const server = net.createServer().listen({ host, port });
	try {
		await once(server, 'listening');
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
	} finally {
		server.close();
	}
}
