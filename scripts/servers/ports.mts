import getPort, { portNumbers } from 'get-port';
import { Failure } from '../bootstrap/failure.mjs';

/** Outside what Linux and macOS give to who asks for any port: n8n listens seconds after its port was chosen. */
const OWN_PORTS = { from: 11_000, to: 32_767 };

/** A port that is free just now, and likely to stay so, for what nobody needs to know the port of. */
export async function anyFreePort(): Promise<number> {
	const start = OWN_PORTS.from + Math.floor((Math.random() * (OWN_PORTS.to - OWN_PORTS.from)) / 2);
	return await getPort({ host: '127.0.0.1', port: portNumbers(start, OWN_PORTS.to) });
}

/**
 * Refuses a port that something else listens on, at any address of this machine: `localhost` means one of two.
 * @param use what the port is for, and the option of npm start that changes it
 */
export async function requireFreePort(port: number, { purpose, option }: { purpose: string; option: string }): Promise<void> {
	if ((await getPort({ port })) === port) return;
	throw new Failure(
		`Port ${port}, which ${purpose} needs, is in use by another program (perhaps npm run sandbox, or an npm start in another clone). ` +
			`End that program, or choose another port: npm start -- ${option} ${port < 65535 ? port + 1 : port - 1}`,
	);
}
