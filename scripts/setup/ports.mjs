import net from 'node:net';
import { Failure } from './failure.mjs';

const LOOPBACKS = ['127.0.0.1', '::1'];

function problemAt(host, port) {
	return new Promise((resolve) => {
		const server = net.createServer();
		server.once('error', (error) => resolve(error.code));
		server.listen({ host, port }, () => server.close(() => resolve(undefined)));
	});
}

/**
 * Refuses a port that something else listens on. Both loopback addresses count: `localhost` means either.
 * @param {number} port
 * @param {{ purpose: string, command: string, option: string }} use what the port is for, and the option of which command changes it
 */
export async function requireFreePort(port, { purpose, command, option }) {
	for (const host of LOOPBACKS) {
		const code = await problemAt(host, port);
		if (code === 'EADDRINUSE') {
			throw new Failure(
				`Port ${port}, which ${purpose} needs, is in use by another program (perhaps npm run sandbox, or an npm start in another clone). ` +
					`End that program, or choose another port: ${command} -- ${option} ${port + 1}`,
			);
		}
		if (code === 'EACCES') {
			throw new Failure(`Port ${port} may not be used by this account. Choose another one for ${purpose}: ${command} -- ${option} ${port < 1024 ? port + 8000 : port + 1}`);
		}
	}
}

/** A port that is free just now, for what nobody needs to know the port of. */
export function anyFreePort() {
	return new Promise((resolve, reject) => {
		const server = net.createServer();
		server.once('error', reject);
		server.listen({ host: '127.0.0.1', port: 0 }, () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}
