import { createServer, type Server, type ServerResponse } from 'node:http';

import { listenOnNewPort } from './listen';

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

/** A server that records requests and responds by a test's script: for responses that no API would give. */
export class Recorder {
	readonly requests: Arrived[] = [];

	readonly logins: Arrived[] = [];

	private constructor(
		private readonly server: Server,
		readonly url: string,
	) {}

	static async start(script: Script, loginScript: Script = giveToken): Promise<Recorder> {
		const server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const arrived: Arrived = {
					method: request.method ?? '',
					target: request.url ?? '',
					headers: request.headers,
					body: Buffer.concat(chunks).toString('utf8'),
				};
				const isLogin = arrived.target === '/auth/api-key/login';
				const list = isLogin ? recorder.logins : recorder.requests;
				list.push(arrived);
				(isLogin ? loginScript : script)(arrived, response, list.length - 1);
			});
		});
		const recorder = new Recorder(server, `http://127.0.0.1:${await listenOnNewPort(server)}`);
		return recorder;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

/** The token that a recorder's login gives; distinctive, so that a test can search for it. */
export const RECORDED_TOKEN = 'token-of-the-recorder-4f1c';

function giveToken(_request: Arrived, response: ServerResponse): void {
	json(response, 200, { access_token: RECORDED_TOKEN });
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown): void {
	raw(response, status, 'application/json', JSON.stringify(body));
}

/** Answers with any body. */
export function raw(response: ServerResponse, status: number, type: string, body: string): void {
	response.writeHead(status, { 'Content-Type': type });
	response.end(body);
}
