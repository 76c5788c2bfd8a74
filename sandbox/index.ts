import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';

import { BACKLOG } from './faults/outage';
import { createApp } from './server';
import { SandboxState, type StateOptions } from './state';

export { type FaultRule, parseFaultRules } from './faults/rules';
export type { LoggedRequest } from './store/requestLog';
export {
	BROKEN_TRUNK_ID,
	type Client,
	createRecords,
	type Customer,
	DEMO_CLIENT,
	type Gateway,
	READ_ONLY_CLIENT,
} from './store/seed';

export interface SandboxOptions extends StateOptions {
	/** Default 0: any free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
}

/** A running sandbox. */
export interface Sandbox extends SandboxState {
	/** Base URL for clients on this machine, without a trailing slash. */
	url: string;
	port: number;
	/** Stops listening and closes all connections. */
	close(): Promise<void>;
}

/**
 * Starts a sandbox in this process. Several can run at once; they share no data.
 * @throws {Error} if it can't listen, or the faults are invalid
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { host = '127.0.0.1' } = options;
	const state = new SandboxState(options);
	const app = await createApp(state, host);
	// for localhost, fastify would start a second server, on its other address
	const { address } = await lookup(host, { order: 'ipv4first' });
	await app.listen({ port: options.port ?? 0, host: address, backlog: BACKLOG });
	// only a server on a Unix socket has another type of address
	const { port } = app.server.address() as AddressInfo;
	const urlHost = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
	return Object.assign(state, { url: `http://${urlHost}:${port}`, port, close: async () => await app.close() });
}
