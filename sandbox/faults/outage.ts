import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Room for a burst of thousands of connections before they are accepted. */
export const BACKLOG = 4096;

/** A time in which the sandbox does not listen. */
export class Outage {
	/** Replies wait for it, as their clients would connect again for the next requests. */
	begun: Promise<void> | undefined;
	private back: NodeJS.Timeout | undefined;

	constructor(private readonly server: Server) {}

	/** Stops listening for so many milliseconds. */
	begin(ms: number): void {
		this.begun = this.stopListening(ms);
	}

	/** Nothing listens again after it. */
	async end(): Promise<void> {
		await this.begun;
		clearTimeout(this.back);
	}

	/** After all that have connected are accepted: Node takes one in a turn of its loop. */
	private async stopListening(ms: number): Promise<void> {
		const { server } = this;
		for (let turn = 0; turn < 500; turn += 1) await setImmediate();
		if (!server.listening) return;
		const { address: host, port } = server.address() as AddressInfo;
		server.close();
		// again where a connection of another program has been given the port meanwhile
		const listen = () => void server.listen({ port, host, backlog: BACKLOG }).once('error', () => backIn(50));
		const backIn = (wait: number) => { this.back = setTimeout(listen, wait); };
		backIn(ms);
	}
}
