import type { AddressInfo } from 'node:net';

import { SandboxCore } from './sandbox';
import type { SandboxSettings } from './sandbox';
import { createApp } from './server';

export { FaultPlanError, parseFaultPlan } from './faults/parsePlan';
export type { FaultPlan, FaultRule, HttpFaultName } from './faults/schema';
export type { SandboxState } from './sandbox';
export type { LoggedRequest } from './store/requestLog';
export { BROKEN_TRUNK_ID, createSeed, DEMO_CLIENT, READ_ONLY_CLIENT } from './store/seed';
export type { Client, Customer, Gateway } from './store/types';

export interface SandboxOptions extends SandboxSettings {
	/** Default 0, which takes any free port. */
	port?: number;
	/** Address to listen on. Default 127.0.0.1. */
	host?: string;
	/** Called with one line for each request of the API: method, path, status, milliseconds and the fault, if there was one. */
	log?: (line: string) => void;
}

/** A running sandbox. */
export type Sandbox = SandboxCore & {
	/** Base address without a slash at its end. */
	url: string;
	port: number;
	/** Stops listening and ends every open connection. */
	close(): Promise<void>;
};

/** The sandbox could not listen. The message says why in a sentence, for a person. */
export class SandboxStartError extends Error {}

/** Room for a burst of thousands of connections before they are accepted. */
const BACKLOG = 4096;

/** Ports that were chosen for a sandbox of this process. */
const chosen = new Set<number>();

/**
 * Starts a sandbox in this process. Several can run at once; they share nothing.
 * @throws {SandboxStartError} if it cannot listen
 * @throws {FaultPlanError} if the faults have a mistake
 */
export async function startSandbox({ port = 0, host = '127.0.0.1', log, ...settings }: SandboxOptions = {}): Promise<Sandbox> {
	const core = new SandboxCore(settings);
	const app = await createApp(core, { host, log });
	await app.listen({ port, host, backlog: BACKLOG }).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EADDRINUSE') throw new SandboxStartError(`Cannot listen on ${host}, port ${port}: ${error.message}`);
		throw new SandboxStartError(`Port ${port} on ${host} is already in use. Stop the program that uses it, or choose another port (--port).`);
	});
	// a server that listens on a port has this kind of address
	const actualPort = (app.server.address() as AddressInfo).port;
	if (port === 0 && chosen.has(actualPort)) {
		// A client in this process may still have a token for the address, of the sandbox that had it before.
		await app.close();
		return await startSandbox({ port, host, log, ...settings });
	}
	chosen.add(actualPort);
	return Object.assign(core, { url: `http://${reachable(host)}:${actualPort}`, port: actualPort, close: async () => await app.close() });
}

/** The address under which a client on this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
	if (host === '0.0.0.0') return '127.0.0.1';
	if (host === '::') return '[::1]';
	return host.includes(':') ? `[${host}]` : host;
}
