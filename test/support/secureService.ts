import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';

import { generate } from 'selfsigned';

import { listenOnNewPort } from './listen';
import { RECORDED_TOKEN } from './recorder';

/** A service that records request lines, issues a token, and answers everything else with the same JSON. */
export interface Service {
	url: string;
	/** Request lines: `POST /auth/api-key/login`. */
	arrived: string[];
	close(): Promise<void>;
}

function answer(arrived: string[]) {
	return (request: IncomingMessage, response: import('node:http').ServerResponse) => {
		arrived.push(`${request.method} ${request.url}`);
		request.resume();
		request.once('end', () => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify(request.url?.startsWith('/auth') ? { access_token: RECORDED_TOKEN } : { id: '1' }));
		});
	};
}

/** The service over TLS, with a self-signed certificate. */
export async function startSelfSigned(): Promise<Service & { certificate: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }, { type: 2, value: 'localhost' }] }],
	});
	const arrived: string[] = [];
	return { ...(await listening(createSecureServer({ key, cert }, answer(arrived)), 'https', arrived)), certificate: cert };
}

/** The same without TLS. */
export async function startPlain(): Promise<Service> {
	const arrived: string[] = [];
	return await listening(createServer(answer(arrived)), 'http', arrived);
}

/** A forward proxy that records what it can read: the request lines, and unencrypted bodies. */
export async function startProxy(): Promise<Service & { port: number }> {
	const arrived: string[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.once('end', () => {
			arrived.push(`${request.method} ${request.url} ${body}`.trim());
			response.writeHead(200, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify({ access_token: RECORDED_TOKEN }));
		});
	});
	server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
		arrived.push(`CONNECT ${url}`);
		const [host, port] = url.split(':');
		const target = connect(Number(port), host, () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			target.pipe(socket).pipe(target);
		});
		for (const end of [socket, target]) end.on('error', () => [socket, target].forEach((each) => each.destroy()));
	});
	const service = await listening(server, 'http', arrived);
	return { ...service, port: Number(new URL(service.url).port) };
}

async function listening(server: Server, scheme: string, arrived: string[]): Promise<Service> {
	return {
		url: `${scheme}://127.0.0.1:${await listenOnNewPort(server)}`,
		arrived,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
