import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Api } from './api';
import { exchange } from './exchange';
import type { LoggedRequest } from './requestLog';
import { SandboxCore } from './sandbox';
import type { SandboxControls, SandboxSettings } from './sandbox';

export { BROKEN_TRUNK_ID, createSeed, DEMO_CLIENT, READ_ONLY_CLIENT } from './seed';
export type { Seed } from './seed';
export type { Client, Customer, Gateway, Organization, PremiumCountry, Trunk } from './records';
export { FaultPlanError, parseFaultPlan } from './faults/parsePlan';
export type { FaultName, FaultPlan, FaultRule, FaultScope, HttpFaultName, RateLimit } from './faults/schema';
export type { LoggedRequest, RequestCounters } from './requestLog';
export type { FaultStatus, SandboxSettings, SandboxState } from './sandbox';

export interface SandboxOptions extends SandboxSettings {
	/** Default 0, which takes any free port. */
	port?: number;
	/** Address to listen on. Default 127.0.0.1. */
	host?: string;
	/** Told one line for each request of the API: method, path, status, milliseconds and the fault, if one struck. */
	log?: (line: string) => void;
}

/** A running sandbox. */
export interface Sandbox extends SandboxControls {
	/** Base address without a slash at its end. */
	url: string;
	port: number;
	/** Stops listening and ends every open connection. */
	close(): Promise<void>;
}

/** The sandbox could not listen. The message says why in a sentence, for a person. */
export class SandboxStartError extends Error {
	constructor(
		message: string,
		/** Code of Node's error, such as EADDRINUSE. */
		readonly code: string | undefined,
	) {
		super(message);
		this.name = 'SandboxStartError';
	}
}

/** Idle connections are kept longer than by the clients, so that it is never the sandbox which ends one first. */
const KEEP_ALIVE_MS = 120_000;

/** Room for a burst of thousands of connections before they are accepted. */
const BACKLOG = 4096;

/**
 * Starts a sandbox in this process. Several can run at once; they share nothing.
 * @throws {SandboxStartError} if it cannot listen
 * @throws {FaultPlanError} if the faults have a mistake
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', log } = options;
	const core = new SandboxCore(await Api.load(), options);
	const report = (request: LoggedRequest) => log?.(lineOf(request));
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
		void exchange(core, request, response, { host, report });
	});

	await new Promise<void>((resolve, reject) => {
		server.once('error', (error) => reject(startError(error, host, port)));
		server.listen({ port, host, backlog: BACKLOG }, resolve);
	});
	// a server that listens on a port has this kind of address
	const actualPort = (server.address() as AddressInfo).port;

	return {
		url: `http://${reachable(host)}:${actualPort}`,
		port: actualPort,
		state: () => core.state(),
		requests: () => core.requests(),
		reset: () => core.reset(),
		faults: () => core.faults(),
		setFaults: (plan) => core.setFaults(plan),
		switchFault: (fault, parameters) => core.switchFault(fault, parameters),
		expireTokens: () => core.expireTokens(),
		putGateway: (gateway) => core.putGateway(gateway),
		removeGateway: (id) => core.removeGateway(id),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function startError(error: NodeJS.ErrnoException, host: string, port: number): SandboxStartError {
	const reasons: Record<string, string> = {
		EADDRINUSE: `Port ${port} on ${host} is already in use. Stop the program that uses it, or choose another port.`,
		EACCES: `Port ${port} on ${host} may not be used without special rights. Choose a port above 1023.`,
		EADDRNOTAVAIL: `${host} is not an address of this machine.`,
		ENOTFOUND: `${host} is not an address of this machine.`,
	};
	return new SandboxStartError(reasons[error.code ?? ''] ?? `Cannot listen on ${host}, port ${port}: ${error.message}`, error.code);
}

/** The address under which a client on this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
	if (host === '0.0.0.0') return '127.0.0.1';
	if (host === '::') return '[::1]';
	return host.includes(':') ? `[${host}]` : host;
}

function lineOf({ method, path, status, milliseconds, fault }: LoggedRequest): string {
	return `${method} ${path} ${status} ${milliseconds} ms${fault === undefined ? '' : ` (fault: ${fault})`}`;
}
