import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { FaultDraw, type RuleCount } from './faults/draw';
import { type FaultPlan, parseFaultPlan } from './faults/plan';
import { put } from './operations';
import { createApp } from './server';
import { type LoggedRequest, RequestLog } from './store/requestLog';
import { createSeed, type Gateway } from './store/seed';
import { Tokens } from './store/tokens';

export { type FaultPlan, type FaultRule, type HttpFaultName, parseFaultPlan } from './faults/plan';
export type { LoggedRequest } from './store/requestLog';
export { BROKEN_TRUNK_ID, type Client, createSeed, type Customer, DEMO_CLIENT, type Gateway, READ_ONLY_CLIENT } from './store/seed';

export interface SandboxOptions {
	/** Default 0, which takes any free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** Called with a line for each request of the API: method, path, status, milliseconds, and the fault if there was one. */
	log?: (line: string) => void;
	/** Lifetime of a token. Default 3600; fractions allowed. */
	tokenTtlSeconds?: number;
	latencyMs?: number;
	/** Faults from the start on, and again after a reset. Default none. */
	faults?: FaultPlan;
	/** Whether a new token of a client ends its earlier ones. */
	newestTokenOnly?: boolean;
}

/** What a sandbox holds at a moment. */
export type SandboxState = ReturnType<Sandbox['state']>;

const HOST = '127.0.0.1';
/** Room for a burst of thousands of connections before they are accepted. */
const BACKLOG = 4096;

/** Ports that were chosen for a sandbox of this process. */
const chosen = new Set<number>();

/** A sandbox: store, tokens, faults and log, and what can be done to them from outside of the API. */
export class Sandbox {
	/** Base address without a slash at its end, under which a client on this machine reaches it. */
	url = '';
	port = 0;
	stored = createSeed();
	readonly log = new RequestLog();
	readonly tokens: Tokens;
	draw!: FaultDraw;
	private app: FastifyInstance | undefined;
	/** Replies wait for it, as their clients would connect again for the next requests. */
	leaving: Promise<void> | undefined;
	private back: NodeJS.Timeout | undefined;

	/** @throws {ApiError} if the faults have a mistake */
	constructor(readonly options: SandboxOptions) {
		this.tokens = new Tokens(options.tokenTtlSeconds ?? 3600, options.newestTokenOnly);
		this.setFaults(options.faults ?? {});
	}

	/** @throws {Error} if it can't */
	async listen(): Promise<void> {
		const { port = 0, host = HOST } = this.options;
		this.app = await createApp(this, host);
		await this.app.listen({ port, host, backlog: BACKLOG }).catch((error: NodeJS.ErrnoException) => {
			const advice = 'is already in use. Stop the program that uses it, or choose another port (--port).';
			throw error.code === 'EADDRINUSE' ? new Error(`Port ${port} on ${host} ${advice}`) : error;
		});
		// a server that listens on a port has this kind of address
		this.port = (this.app.server.address() as AddressInfo).port;
		if (port === 0 && chosen.has(this.port)) {
			// a client in this process may still have a token for the address, of the sandbox that had it before
			await this.app.close();
			return await this.listen();
		}
		chosen.add(this.port);
		const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
		this.url = `http://${name}:${this.port}`;
	}

	/** Stops listening and ends every open connection. */
	async close(): Promise<void> {
		await this.leaving;
		clearTimeout(this.back);
		await this.app?.close();
	}

	/** Stops listening for so many milliseconds, after all that have connected are accepted: Node takes one in a turn of its loop. */
	async leave(ms: number): Promise<void> {
		const { server } = this.app!;
		for (let turn = 0; turn < 500; turn += 1) await setImmediate();
		if (!server.listening) return;
		server.close();
		const { host = HOST } = this.options;
		// again where a connection of another program has been given the port meanwhile
		const listen = () => void server.listen({ port: this.port, host, backlog: BACKLOG }).once('error', () => backIn(50));
		const backIn = (wait: number) => { this.back = setTimeout(listen, wait); };
		backIn(ms);
	}

	/** A copy. */
	state() {
		return { ...structuredClone(this.stored), counters: this.log.counters() };
	}

	requests(): LoggedRequest[] {
		return this.log.list();
	}

	/** Puts store, counters, log and faults back to how they were at the start. Tokens stay valid. */
	reset(): void {
		this.stored = createSeed();
		this.log.clear();
		this.setFaults(this.options.faults ?? {});
	}

	/** The plan in force, and for each of its rules how many requests it matched and into how many it was injected. */
	faults(): { plan: FaultPlan; counts: RuleCount[] } {
		return { plan: this.draw.plan, counts: this.draw.counts() };
	}

	/**
	 * Replaces all faults, and starts drawing from the beginning.
	 * @throws {ApiError} if the plan has a mistake
	 */
	setFaults(given: FaultPlan): void {
		const plan = parseFaultPlan(given);
		this.tokens.usesPerToken = plan.rules?.find((rule) => rule.fault === 'tokenExpires')?.afterRequests ?? Infinity;
		this.draw = new FaultDraw(plan, this.options.latencyMs);
	}

	expireTokens(): void {
		this.tokens.expire();
	}

	/** Stores a gateway, in place of the one that has its id: the API itself can't change one. */
	putGateway(gateway: Gateway): void {
		put(this.stored.gateways, structuredClone(gateway), 'id');
	}

	removeGateway(id: string): void {
		this.stored.gateways = this.stored.gateways.filter((gateway) => gateway.id !== id);
	}
}

/**
 * Starts a sandbox in this process. Several can run at once; they share nothing.
 * @throws {Error} if it can't listen, or the faults have a mistake
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = new Sandbox(options);
	await sandbox.listen();
	return sandbox;
}
