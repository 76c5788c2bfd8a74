import type { Clock } from './clock';
import { apiError, type Fault, FAULTS, outageReply, type Reply } from './faults';
import type { World } from './world';

/** A request as it was sent, and what became of it. */
export interface Send {
	/** Of the world's runs; -1 for a login, -2 for a trigger. */
	run: number;
	attempt: number;
	/** In which process of n8n. */
	process: number;
	/** Whose it is: an item's number; with the country, of a premium. */
	id: string;
	method: string;
	token: string;
	sentAt: number;
	/** When its reply came, or the client ended it, and how many requests had been sent by then. */
	endedAt?: number;
	sentBefore?: number;
	/** The fault that struck it: 'limit', 'outage' (the service was away before its reply came), or one of the world's; '' for none. */
	kind: string;
	/** What an error may say of it. */
	means: 'done' | 'not_sent' | 'not_done' | 'unknown';
	status?: number;
	arrived: boolean;
	wasDone: boolean;
}

/** A response's body as n8n's helper gives it: a stream of Node, as far as the node uses it. */
function bodyOf({ body = '', isCut }: { body?: string; isCut?: true }) {
	const stream = {
		destroyed: false,
		destroy: () => void (stream.destroyed = true),
		on: (event: string, listener: (chunk?: Uint8Array) => void) => {
			if (event === 'data' && body !== '') queueMicrotask(() => listener(Buffer.from(body)));
			if (event === (isCut ? 'close' : 'end')) queueMicrotask(() => queueMicrotask(listener));
			return stream;
		},
	};
	return stream;
}

/** The service: what it did, which tokens it accepts, and how it fails. */
export class Service {
	readonly sends: Send[] = [];

	/** How often each customer, by number, was created, and each premium set. */
	readonly done = new Map<string, number>();

	readonly trace: string[] = [];

	/** Requests that have no reply yet. */
	inFlight = 0;

	/** Whether nothing is wrong with it any more. */
	isWell = false;

	/** Tokens that were issued, by when each is accepted, and no longer. */
	private readonly tokens = new Map<string, { from: number; until: number }>();

	/** How many were sent: of logins, and of all others. */
	private readonly counts = { logins: 0, requests: 0 };

	private bucket: { left: number; at: number };

	constructor(
		private readonly world: World,
		private readonly clock: Clock,
		/** What a GET of a gateway gives; undefined where there is none. */
		private readonly gateway: (id: string) => unknown,
	) {
		this.bucket = { left: world.limit?.perSecond ?? 0, at: clock.now };
	}

	/** Receives a request, and replies as n8n's helper does. @throws as its HTTP client does */
	async receive(send: Omit<Send, 'sentAt' | 'kind' | 'means' | 'arrived' | 'wasDone'>, signal: AbortSignal | undefined): Promise<unknown> {
		const { clock } = this;
		const [kind, fault] = this.faultOf(send);
		const sent: Send = { ...send, sentAt: clock.now, kind, means: 'not_sent', arrived: false, wasDone: false };
		this.sends.push(sent);
		this.log(`${sent.run}.${sent.attempt} sends ${sent.method} ${sent.id}${kind && `: ${kind}`}`);
		return await new Promise((resolve, reject) => {
			this.inFlight++;
			const end = () => {
				if (sent.endedAt === undefined) this.inFlight--;
				sent.endedAt ??= clock.now;
				sent.sentBefore ??= this.sends.length;
				signal?.removeEventListener('abort', abort);
			};
			const abort = () => {
				if (sent.arrived) sent.means = 'unknown';
				end();
				reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
			};
			const reply = (answer: Reply) => {
				if (answer === 'nothing' || sent.endedAt !== undefined) return;
				end();
				this.log(`${sent.id} gets ${'status' in answer ? answer.status : answer.error}`);
				if ('error' in answer) return reject(Object.assign(new Error(answer.error), { code: answer.code }));
				sent.status = answer.status;
				const secrets = (answer.body ?? '').replace('TOKEN', sent.token).replace('SECRET', SECRET);
				resolve({ statusCode: answer.status, headers: { ...answer.headers }, body: bodyOf({ ...answer, body: secrets }) });
			};
			signal?.addEventListener('abort', abort);
			const away = this.outageAt(clock.now);
			if (away?.by === 'refused' || fault?.arrives === false) {
				if (away) sent.kind = 'outage';
				return clock.at(1, () => reply(away ? outageReply(away.by, false) : fault!.reply!));
			}
			const half = (this.world.latency * (0.5 + clock.random())) / 2;
			clock.at(half, () => {
				if (signal?.aborted) return;
				sent.arrived = true;
				sent.means = 'unknown';
				const answer = this.work(sent, fault);
				clock.at(half, () => {
					const now = this.outageAt(clock.now) ?? (sent.kind === 'outage' && this.outageAt(sent.sentAt + half));
					if (now) Object.assign(sent, { kind: 'outage', means: 'unknown' });
					reply(now ? outageReply(now.by, true) : answer);
				});
			});
		});
	}

	/** What the service does with a request that has arrived. */
	private work(sent: Send, fault: Fault | undefined): Reply {
		const isLogin = sent.run === -1;
		if (this.outageAt(this.clock.now)) {
			sent.kind = 'outage';
			return 'nothing';
		}
		const means = (outcome: Send['means'], answer: Reply) => ((sent.means = outcome), answer);
		const wait = this.overLimit();
		if (wait !== undefined) {
			sent.kind = 'limit';
			return means('not_done', { status: 429, headers: this.world.limit!.retryAfter ? { 'retry-after': String(Math.ceil(wait / 1_000)) } : {} });
		}
		if (sent.kind === 'token revoked') for (const token of this.tokens.values()) token.until = Math.min(token.until, this.clock.now);
		const whatItMeans = fault && ((sent.method === 'GET' && fault.ofGet) || fault.means);
		if (fault?.reply && !fault.isDone) return means(whatItMeans!, fault.reply);
		const token = this.tokens.get(sent.token);
		if (!isLogin && !(token && this.clock.now >= token.from && this.clock.now < token.until)) return means('not_done', apiError(401));
		const answer = isLogin ? this.logIn() : this.do(sent);
		return fault?.reply ? means(whatItMeans!, fault.reply) : answer;
	}

	private do(sent: Send): Reply {
		if (sent.method === 'GET') {
			const gateway = this.gateway(sent.id);
			sent.means = gateway === undefined ? 'not_done' : 'done';
			return gateway === undefined ? apiError(404) : { status: 200, body: JSON.stringify(gateway) };
		}
		sent.wasDone = true;
		sent.means = 'done';
		this.done.set(sent.id, (this.done.get(sent.id) ?? 0) + 1);
		return sent.method === 'PUT' ? { status: 204 } : { status: 201, body: JSON.stringify({ id: sent.id }) };
	}

	private logIn(): Reply {
		const { newestOnly, lifetimeMs = Infinity, saysLifetime, validAfterMs = 0 } = this.world.tokens;
		const { now } = this.clock;
		if (newestOnly) for (const token of this.tokens.values()) token.until = Math.min(token.until, now);
		const token = `${TOKEN}${this.tokens.size + 1}`;
		this.tokens.set(token, { from: now + validAfterMs, until: now + lifetimeMs });
		return { status: 200, body: JSON.stringify({ access_token: token, ...(saysLifetime && lifetimeMs < Infinity && { expires_in: lifetimeMs / 1_000 }) }) };
	}

	private faultOf({ run, id }: Pick<Send, 'run' | 'id'>): [string, Fault | undefined] {
		const isLogin = run === -1;
		const nth = this.counts[isLogin ? 'logins' : 'requests']++;
		const item = Number.parseInt(id, 10) % 1_000;
		const struck = this.isWell ? undefined : this.world.faults.find(({ of, kind, from, times }) => {
			if (of === 'item') return run >= 0 && item === from % 10;
			const first = isLogin ? from % 3 : from;
			// Each takes its five minutes.
			const lasts = FAULTS[kind]!.reply === 'nothing' ? Math.min(times, 8) : times;
			return (of === 'logins') === isLogin && nth >= first && nth < first + lasts;
		});
		// It is the service's word that a gateway is gone.
		return struck && !(run === -2 && struck.kind === '404') ? [struck.kind, FAULTS[struck.kind]] : ['', undefined];
	}

	private outageAt(ms: number): World['outages'][number] | undefined {
		return this.world.outages.find((outage) => ms >= outage.at + START && ms < outage.at + outage.ms + START);
	}

	/** Milliseconds until there is room again, of a bucket that holds a second's requests; undefined while there is. */
	private overLimit(): number | undefined {
		const { limit } = this.world;
		if (!limit) return undefined;
		const { now } = this.clock;
		this.bucket = { left: Math.min(limit.perSecond, this.bucket.left + ((now - this.bucket.at) * limit.perSecond) / 1_000), at: now };
		if (this.bucket.left < 1) return ((1 - this.bucket.left) * 1_000) / limit.perSecond;
		this.bucket.left--;
		return undefined;
	}

	private log(line: string): void {
		this.trace.push(`${Math.round(this.clock.now - START)} ${line}`);
	}
}

/** When a world begins, by its clock, in milliseconds. */
export const START = 1_000;

export const TOKEN = 'not-to-be-shown-token-';
export const SECRET = 'not-to-be-shown-secret';
