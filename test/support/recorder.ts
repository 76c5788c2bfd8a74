import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as it arrived, byte for byte. */
export interface Arrived {
	method: string;
	/** Path and query as they stood in the request line. */
	target: string;
	headers: Record<string, string | string[] | undefined>;
	body: string;
}

/** Responds to a request. */
export type Script = (request: Arrived, response: ServerResponse, index: number) => void;

/** Beyond Node's 16 KB, so that a request of any length that a test sends arrives. */
const OPTIONS = { maxHeaderSize: 4 * 2 ** 20 };

/** A server that records requests and responds by a test's script: for responses that no API would give. */
export class Recorder {
	readonly requests: Arrived[] = [];

	readonly logins: Arrived[] = [];

	/** The request line of each request, logins included, also of one whose body did not arrive: `POST /auth/api-key/login`. */
	readonly arrived: string[] = [];

	private constructor(
		readonly server: Server,
		readonly url: string,
	) {}

	/** @param tls key and certificate, for HTTPS */
	static async start(
		script: Script,
		loginScript: Script = giveToken,
		tls?: { key: string; cert: string },
	): Promise<Recorder> {
		const take = async (request: IncomingMessage, response: ServerResponse) => {
			const { method = '', url: target = '', headers } = request;
			recorder.arrived.push(`${method} ${target}`);
			const body = await buffer(request).catch(() => undefined);
			// The client closed the connection before it had sent all of it.
			if (body === undefined) return;
			const arrived = { method, target, headers, body: body.toString('utf8') };
			const isLogin = target === '/auth/api-key/login';
			const list = isLogin ? recorder.logins : recorder.requests;
			list.push(arrived);
			(isLogin ? loginScript : script)(arrived, response, list.length - 1);
		};
		const server = tls ? createSecureServer({ ...OPTIONS, ...tls }, take) : createServer(OPTIONS, take);
		const recorder = new Recorder(server, `${tls ? 'https' : 'http'}://127.0.0.1:${await listenOnNewPort(server)}`);
		return recorder;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

/** The token that a recorder's login gives; distinctive, so that a test can search for it. */
export const RECORDED_TOKEN = 'token-of-the-recorder-4f1c';

export const giveToken: Script = (_request, response) => json(response, 200, { access_token: RECORDED_TOKEN });

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown): void {
	raw(response, status, 'application/json', JSON.stringify(body));
}

/** Answers with any body. */
export function raw(response: ServerResponse, status: number, type: string, body: string): void {
	response.writeHead(status, { 'Content-Type': type });
	response.end(body);
}

const chosen = new Set<number>();

/**
 * Lets a server listen on a free port that no other server of this file has had: what the node keeps for an address,
 * such as a token, would be taken for the new server's. @returns the port
 */
async function listenOnNewPort(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	if (!chosen.has(port)) {
		chosen.add(port);
		return port;
	}
	await new Promise((resolve) => server.close(resolve));
	return await listenOnNewPort(server);
}
