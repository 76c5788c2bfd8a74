import type { Clock } from './clock';
import { apiError, type Fault, FAULTS, outageReply, type Reply } from './faults';
import type { World } from './world';

/** Of whom a request is: of a run of the world, or of one of these. */
export const LOGIN = -1;
export const TRIGGER = -2;

/** A request that was sent, and what became of it. */
export interface Send {
	run: number;
	/** Of the run, under Retry On Fail. */
	attempt: number;
	/** In which process of n8n. */
	process: number;
	/** Whose it is: an item's number, with the country of a premium. */
	id: string;
	method: string;
	token: string;
	sentAt: number;
	/** Its place among all that were sent. */
	nth: number;
	/** When its reply came, or the client ended it; and how many requests had been sent by then. */
	endedAt?: number;
	sentBefore?: number;
	/** What struck it: 'limit', 'outage' (the service was away before its reply came), or a fault; '' for nothing. */
	kind: string;
	/** What an error may say of it. */
	means: 'done' | 'not_sent' | 'not_done' | 'unknown';
	status?: number;
	arrived: boolean;
	wasDone: boolean;
}

/** Not to be shown in any output, error or log. */
export const TOKEN = 'not-to-be-shown-token-';
export const SECRET = 'not-to-be-shown-secret';

/** A response as n8n's helper gives it, its body as much of a stream as the node uses. */
function responseOf({ status, headers, body = '', isCut }: Exclude<Reply, 'nothing' | { error: string }>) {
	const stream = {
		destroyed: false,
		destroy: () => void (stream.destroyed = true),
		on: (event: string, listener: (chunk?: Uint8Array) => void) => {
			if (event === 'data' && body !== '') queueMicrotask(() => listener(Buffer.from(body)));
			if (event === (isCut ? 'close' : 'end')) queueMicrotask(() => queueMicrotask(listener));
		},
	};
	return { statusCode: status, headers: { ...headers }, body: stream };
}

/** The service: what it did, which tokens it accepts, and how it fails. */
export class Service {
	readonly sends: Send[] = [];

	/** How often it did what a request asked for, by `id`. */
	readonly done = new Map<string, number>();

	readonly trace: string[] = [];

	/** Requests without a reply. */
	inFlight = 0;

	/** Whether nothing is wrong with it any more. */
	isWell = false;

	private readonly tokens = new Map<string, { from: number; until: number }>();

	private readonly counts = { logins: 0, requests: 0 };

	/** Requests that the limit still allows, by when. */
	private bucket: { left: number; at: number };

	/** @param gateway what a GET of one gives; undefined where there is none */
	constructor(
		private readonly world: World,
		private readonly clock: Clock,
		private readonly gateway: (id: string) => unknown,
	) {
		this.bucket = { left: world.limit?.perSecond ?? 0, at: 0 };
	}

	log = (line: string): void => void this.trace.push(`${Math.round(this.clock.now)} ${line}`);

	/** Receives a request, and replies as n8n's helper does. @throws as its HTTP client does */
	async receive(of: Pick<Send, 'run' | 'attempt' | 'process' | 'id' | 'method' | 'token'>, signal: AbortSignal | undefined): Promise<unknown> {
		const { clock } = this;
		const [kind, fault] = this.faultOf(of);
		const sent: Send = { ...of, sentAt: clock.now, nth: this.sends.length, kind, means: 'not_sent', arrived: false, wasDone: false };
		this.sends.push(sent);
		this.inFlight++;
		this.log(`${of.run === LOGIN ? 'login' : of.run === TRIGGER ? 'trigger' : `run ${of.run}.${of.attempt}`} sends ${of.method} ${of.id}${kind && `: ${kind}`}`);
		return await new Promise((resolve, reject) => {
			const end = () => {
				Object.assign(sent, { endedAt: clock.now, sentBefore: this.sends.length });
				this.inFlight--;
				signal?.removeEventListener('abort', abort);
			};
			const abort = () => {
				if (sent.arrived) sent.means = 'unknown';
				end();
				reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
			};
			signal?.addEventListener('abort', abort);
			const reply = (answer: Reply) => {
				if (answer === 'nothing' || sent.endedAt !== undefined) return;
				end();
				this.log(`${sent.id} gets ${'error' in answer ? answer.code : answer.status}`);
				if ('error' in answer) return reject(Object.assign(new Error(answer.error), { code: answer.code }));
				sent.status = answer.status;
				resolve(responseOf({ ...answer, body: answer.body?.replace('TOKEN', sent.token).replace('SECRET', SECRET) }));
			};
			const away = this.outage;
			if (away) sent.kind = 'outage';
			if (away?.by === 'refused' || (!away && fault?.when === 'unreached')) return clock.at(1, () => reply(away ? outageReply(away.by, false) : fault!.reply!));
			const half = (this.world.latency * (0.5 + clock.random())) / 2;
			clock.at(half, () => {
				if (signal?.aborted) return;
				Object.assign(sent, { arrived: true, means: 'unknown' });
				const met = this.outage ?? away;
				const answer = met ? 'nothing' : this.work(sent, fault);
				clock.at(half, () => {
					const still = this.outage ?? met;
					if (still) Object.assign(sent, { kind: 'outage', means: 'unknown' });
					reply(still ? outageReply(still.by, true) : answer);
				});
			});
		});
	}

	/** What the service does with a request that has arrived. */
	private work(sent: Send, fault: Fault | undefined): Reply {
		const { limit } = this.world;
		const { now } = this.clock;
		const says = (means: Send['means'], reply: Reply) => ((sent.means = means), reply);
		if (limit && !this.isWithin(limit.perSecond)) {
			sent.kind = 'limit';
			return says('not_done', { status: 429, headers: limit.retryAfter ? { 'retry-after': '1' } : {} });
		}
		if (sent.kind === 'token revoked') this.endTokens();
		if (fault?.reply && fault.when !== 'done') return says(fault.means, fault.reply);
		const token = this.tokens.get(sent.token);
		if (sent.run !== LOGIN && !(token && now >= token.from && now < token.until)) return says('not_done', apiError(401));
		const [means, reply] = sent.run === LOGIN ? this.logIn() : this.do(sent);
		return fault?.reply ? says(fault.means, fault.reply) : says(means, reply);
	}

	private do(sent: Send): [Send['means'], Reply] {
		const gateway = sent.method === 'GET' ? this.gateway(sent.id) : undefined;
		if (sent.method === 'GET') return gateway === undefined ? ['not_done', apiError(404)] : ['done', { status: 200, body: JSON.stringify(gateway) }];
		sent.wasDone = true;
		this.done.set(sent.id, (this.done.get(sent.id) ?? 0) + 1);
		return ['done', sent.method === 'PUT' ? { status: 204 } : { status: 201, body: JSON.stringify({ id: sent.id }) }];
	}

	private logIn(): [Send['means'], Reply] {
		const { newestOnly, lifetimeMs = Infinity, saysLifetime, validAfterMs = 0 } = this.world.tokens;
		const { now } = this.clock;
		if (newestOnly) this.endTokens();
		const token = `${TOKEN}${this.tokens.size + 1}`;
		this.tokens.set(token, { from: now + validAfterMs, until: now + lifetimeMs });
		return ['done', { status: 200, body: JSON.stringify({ access_token: token, ...(saysLifetime && { expires_in: lifetimeMs / 1_000 }) }) }];
	}

	private endTokens(): void {
		for (const token of this.tokens.values()) token.until = Math.min(token.until, this.clock.now);
	}

	private faultOf({ run, id }: Pick<Send, 'run' | 'id'>): [string, Fault | undefined] {
		const nth = this.counts[run === LOGIN ? 'logins' : 'requests']++;
		const struck = this.world.faults.find(({ of, kind, from, times }) => {
			if (of === 'item') return run >= 0 && Number.parseInt(id, 10) % 1_000 === from % 10;
			const first = run === LOGIN ? from % 3 : from;
			// Each takes its five minutes.
			const lasts = FAULTS[kind]!.reply === 'nothing' ? Math.min(times, 8) : times;
			return (of === 'logins') === (run === LOGIN) && nth >= first && nth < first + lasts;
		});
		// To the trigger, 404 is the service's word that a gateway is gone.
		return !struck || this.isWell || (run === TRIGGER && struck.kind === '404') ? ['', undefined] : [struck.kind, FAULTS[struck.kind]];
	}

	private get outage(): World['outage'] {
		const { outage } = this.world;
		return outage && this.clock.now >= outage.at && this.clock.now < outage.at + outage.ms ? outage : undefined;
	}

	/** Whether there is room for a request, in a bucket that holds a second's. */
	private isWithin(perSecond: number): boolean {
		const { now } = this.clock;
		const left = Math.min(perSecond, this.bucket.left + ((now - this.bucket.at) * perSecond) / 1_000);
		this.bucket = { left: left < 1 ? left : left - 1, at: now };
		return left >= 1;
	}
}
