import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Lets thousands of connections at once wait to be accepted. */
export const BACKLOG = 4096;

const RESTART_RETRY_MS = 50;

/** A period in which the sandbox doesn't listen. */
export class Outage {
	/** Resolves when the server has stopped listening. Responses wait for it: their clients could connect again before. */
	stopPromise: Promise<void> | undefined;
	private restartTimer: NodeJS.Timeout | undefined;
	private isCanceled = false;

	constructor(private readonly server: Server) {}

	start(ms: number): void {
		this.stopPromise = this.stopListening(ms);
	}

	/** Cancels the restart, when the sandbox is closed. */
	async cancel(): Promise<void> {
		this.isCanceled = true;
		await this.stopPromise;
		clearTimeout(this.restartTimer);
	}

	/** First accepts all clients that have connected: Node accepts one connection per turn of the event loop. */
	private async stopListening(ms: number): Promise<void> {
		const { server } = this;
		for (let turn = 0; turn < 500; turn += 1) await setImmediate();
		if (!server.listening) return;
		const { address: host, port } = server.address() as AddressInfo;
		server.close();
		this.restartAfter(ms, { port, host, backlog: BACKLOG });
	}

	private restartAfter(ms: number, address: ListenOptions): void {
		if (this.isCanceled) return;
		this.restartTimer = setTimeout(() => {
			// another program, or a connection of one, may have got the port meanwhile
			once(this.server.listen(address), 'listening').catch(() => this.restartAfter(RESTART_RETRY_MS, address));
		}, ms);
	}
}
