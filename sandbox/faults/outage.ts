import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Lets thousands of connections at once wait to be accepted. */
export const BACKLOG = 4096;

/** A period in which the sandbox doesn't listen. */
export class Outage {
	/** Resolves when the server has stopped listening. Responses wait for it: their clients could connect again before. */
	begun: Promise<void> | undefined;
	private back: NodeJS.Timeout | undefined;

	constructor(private readonly server: Server) {}

	begin(ms: number): void {
		this.begun = this.stopListening(ms);
	}

	/** Cancels the restart, when the sandbox is closed. */
	async end(): Promise<void> {
		await this.begun;
		clearTimeout(this.back);
	}

	/** First accepts all clients that have connected: Node accepts one connection per turn of the event loop. */
	private async stopListening(ms: number): Promise<void> {
		const { server } = this;
		for (let turn = 0; turn < 500; turn += 1) await setImmediate();
		if (!server.listening) return;
		const { address: host, port } = server.address() as AddressInfo;
		server.close();
		// tries again if another program's connection was given the port meanwhile
		const listen = () => void server.listen({ port, host, backlog: BACKLOG }).once('error', () => backIn(50));
		const backIn = (wait: number) => {
			this.back = setTimeout(listen, wait);
		};
		backIn(ms);
	}
}
