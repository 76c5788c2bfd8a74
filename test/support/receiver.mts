import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { IDataObject } from 'n8n-workflow';

/** Where workflows post what they would otherwise tell people. */
export interface Receiver {
	url: string;
	/** What has come since this was last asked. */
	taken(): IDataObject[];
	close(): Promise<void>;
}

/** Starts one on this machine. */
export async function startReceiver(): Promise<Receiver> {
	let received: IDataObject[] = [];
	const server = createServer((request, response) => {
		void json(request).then((body) => {
			received.push(body as IDataObject);
			response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		taken: () => received.splice(0),
		close: async () =>
			await new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
