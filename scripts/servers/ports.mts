import getPort, { portNumbers } from 'get-port';
import { Failure } from '../bootstrap/failure.mjs';

/** Outside the ephemeral ports of Linux and macOS: n8n binds its port seconds after it was chosen, and it must still be free then. */
const OWN_PORTS = { from: 11_000, to: 32_767 };

/** A port that is free now, and likely to stay free. */
export async function anyFreePort(): Promise<number> {
	const start = OWN_PORTS.from + Math.floor((Math.random() * (OWN_PORTS.to - OWN_PORTS.from)) / 2);
	return await getPort({ host: '127.0.0.1', port: portNumbers(start, OWN_PORTS.to) });
}

/**
 * Throws if another program listens on the port, at any address: `localhost` may be 127.0.0.1 or ::1.
 * @param purpose what needs the port @param option of npm start that changes it
 */
export async function requireFreePort(
	port: number,
	{ purpose, option }: { purpose: string; option: string },
): Promise<void> {
	if ((await getPort({ port })) === port) return;
	throw new Failure(
		`Port ${port}, which ${purpose} needs, is in use by another program (perhaps npm run sandbox, or an npm start in another clone). ` +
			`End that program, or choose another port: npm start -- ${option} ${port < 65535 ? port + 1 : port - 1}`,
	);
}
