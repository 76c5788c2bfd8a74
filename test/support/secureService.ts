import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { giveToken, json, Recorder, type Script } from './recorder';

const giveOne: Script = (_request, response) => json(response, 200, { id: '1' });

/** A service over TLS, with a self-signed certificate, that issues a token, and answers everything else with the same JSON. */
export async function startSelfSigned(): Promise<Recorder & { certificate: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
		extensions: [
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 7, ip: '127.0.0.1' },
					{ type: 2, value: 'localhost' },
				],
			},
		],
	});
	return Object.assign(await Recorder.start(giveOne, giveToken, { key, cert }), { certificate: cert });
}

/** A forward proxy that records what it can read, and gives a token in place of what it would fetch. */
export async function startProxy(): Promise<Recorder> {
	const proxy = await Recorder.start(giveToken);
	const tunnels: Socket[] = [];
	proxy.server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
		proxy.arrived.push(`CONNECT ${url}`);
		tunnels.push(socket);
		const [host, port] = url.split(':');
		const target = connect(Number(port), host, () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			target.pipe(socket).pipe(target);
		});
		for (const end of [socket, target])
			end.on('error', () => {}).on('close', () => [socket, target].forEach((each) => each.destroy()));
	});
	const close = async () => {
		// n8n keeps a connection for its next request.
		for (const tunnel of tunnels) tunnel.destroy();
		await Recorder.prototype.close.call(proxy);
	};
	return Object.assign(proxy, { close });
}
