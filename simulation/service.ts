import type { IDataObject } from 'n8n-workflow';

import type { Clock } from './clock';
import { createApiError, type Fault, FAULTS, createOutageReply, REJECTING_OUTAGE, type Reply } from './faults';
import { isAway, itemOf, type World } from './world';

/** Of whom a request is: of a run of the world, or of one of these. */
export const LOGIN = -1;
export const TRIGGER = -2;

/** A request that is to be sent. */
export interface Request {
	run: number;
	/** Of the run, under Retry On Fail. */
	attempt: number;
	/** The process of n8n and the key that it is sent with: those with the same share a queue and a token. */
	client: string;
	key: number;
	/** Whose it is: an item's number, with the country of a premium. */
	id: string;
	method: string;
	/** Of a login, the one that it gives. */
	token: string;
}

/** A request that was sent, and what became of it. */
export interface SentRequest extends Request {
	sentAt: number;
	/** Its place among all that were sent. */
	nth: number;
	/** When its reply came, or the client ended it; and how many requests had been sent by then. */
	endedAt?: number;
	sentBefore?: number;
	/** What struck it: 'limit', 'outage' (the service was away before its reply came), or a fault; '' for nothing. */
	kind: string;
	/** What an error may say of it. */
	outcome: 'done' | 'not_sent' | 'not_done' | 'unknown';
	status?: number;
	arrived: boolean;
	wasDone: boolean;
}

/** What a slow read takes: half of it to three halves. */
const SLOW_MS = 18_000;

/** What the service makes of a request. */
type Answer = [outcome: SentRequest['outcome'], reply: Reply];

const answerOfOutage = ({ by }: NonNullable<World['outage']>): Answer => [
	by === REJECTING_OUTAGE ? 'not_done' : 'unknown',
	createOutageReply(by, true),
];

/** Not to be shown in any output, error or log. */
export const TOKEN = 'not-to-be-shown-token-';
export const SECRET = 'not-to-be-shown/secret+';

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
	readonly sentRequests: SentRequest[] = [];

	/** How often it did what a request asked for, by `id`. */
	readonly doneCounts = new Map<string, number>();

	readonly trace: string[] = [];

	/** The states that each gateway of the trigger came to be in; undefined for none. */
	readonly gateways = new Map<string, Array<{ at: number; value: IDataObject | undefined }>>();

	/** Requests without a reply. */
	inFlight = 0;

	/** Whether nothing is wrong with it any more. */
	isWell = false;

	/** Whether it refuses a request whatever its token, as in a wrong header. */
	isRefused: (send: SentRequest) => boolean = () => false;

	private readonly tokens: Array<{ text: string; key: number; from: number; until: number }> = [];

	private readonly counts = { logins: 0, requests: 0, trigger: 0 };

	/** Until when it works on requests that wait for their turn. */
	private busyUntil = 0;

	/** Requests that the limit still allows, by when. */
	private bucket = { left: Infinity, at: 0 };

	constructor(
		private readonly world: World,
		private readonly clock: Clock,
	) {}

	log(line: string): void {
		this.trace.push(`${Math.round(this.clock.now)} ${line}`);
	}

	/**
	 * Receives a request, and replies as n8n's helper does.
	 * @param process nothing comes back to one that has died
	 * @throws as its HTTP client does
	 */
	async receive(request: Request, process: { isDead: boolean }, signal?: AbortSignal): Promise<unknown> {
		const { clock } = this;
		const [kind, fault] = this.faultOf(request);
		const send: SentRequest = {
			...request,
			sentAt: clock.now,
			nth: this.sentRequests.length,
			kind,
			outcome: 'not_sent',
			arrived: false,
			wasDone: false,
		};
		this.sentRequests.push(send);
		this.inFlight++;
		const sender =
			request.run === LOGIN ? 'login' : request.run === TRIGGER ? 'trigger' : `run ${request.run}.${request.attempt}`;
		this.log(`${sender} sends ${send.method} ${send.id}${kind && `: ${kind}`}`);
		return await new Promise((resolve, reject) => {
			const end = (act: () => void) => {
				Object.assign(send, { endedAt: clock.now, sentBefore: this.sentRequests.length });
				this.inFlight--;
				signal?.removeEventListener('abort', abort);
				if (!process.isDead) act();
			};
			const fail = (message: string, code: string) => reject(Object.assign(new Error(message), { code }));
			const abort = () => {
				if (send.arrived) send.outcome = 'unknown';
				end(() => fail('canceled', 'ERR_CANCELED'));
			};
			signal?.addEventListener('abort', abort);
			void this.deliver(send, fault).then((reply) => {
				if (reply === 'nothing' || send.endedAt !== undefined) return;
				this.log(`${send.id} gets ${'error' in reply ? reply.code : reply.status}`);
				if ('error' in reply) return end(() => fail(reply.error, reply.code));
				send.status = reply.status;
				const body = reply.body
					?.replace('TOKEN', () => this.tokenKnownTo(send))
					.replace('SECRET', `${SECRET} ${encodeURIComponent(SECRET)}`);
				end(() => resolve(responseOf({ ...reply, body })));
			});
		});
	}

	/** A token that the client of a request has had before. */
	private tokenKnownTo({ client, token }: SentRequest): string {
		const logins = this.sentRequests.filter(
			(send) => send.client === client && send.run === LOGIN && send.status === 200 && send.outcome === 'done',
		);
		return logins.at(-2)?.token ?? logins.at(-1)?.token ?? token;
	}

	/** Brings a request to the service, and its reply back, which takes half of the time each. */
	private async deliver(send: SentRequest, fault: Fault | undefined): Promise<Reply> {
		const { clock, world } = this;
		const outageAtStart = this.outageOf(send);
		if (outageAtStart ? outageAtStart.by === 'refused' : fault?.stage === 'unreached') {
			await clock.wait(1);
			return outageAtStart ? createOutageReply(outageAtStart.by, false) : fault!.reply!;
		}
		const isSlow = send.run === TRIGGER && world.trigger?.slow.some((at) => clock.now >= at && clock.now < at + 5_000);
		const halfLatencyMs = ((isSlow ? SLOW_MS : world.latency) * (0.5 + clock.random())) / 2;
		await clock.wait(halfLatencyMs);
		if (send.endedAt !== undefined) return 'nothing';
		send.arrived = true;
		const isLate = await this.waitForTurn(send);
		const outageOnArrival = this.outageOf(send) ?? outageAtStart;
		const [outcome, reply] = outageOnArrival
			? answerOfOutage(outageOnArrival)
			: this.handle(send, isLate ? FAULTS['504, done'] : fault);
		send.outcome = outcome;
		await clock.wait(halfLatencyMs);
		const outage = outageOnArrival ? undefined : this.outageOf(send, true);
		if (!outage) return reply;
		const [outcomeOfOutage, replyOfOutage] = answerOfOutage(outage);
		send.outcome = outcomeOfOutage;
		return replyOfOutage;
	}

	/** @returns whether a proxy has given up by then */
	private async waitForTurn(send: SentRequest): Promise<boolean> {
		const { perSecond = 0, timeoutMs } = this.world.limit ?? {};
		if (!timeoutMs || send.run === LOGIN) return false;
		const { now } = this.clock;
		this.busyUntil = Math.max(now, this.busyUntil) + 1_000 / perSecond;
		const waitMs = this.busyUntil - now;
		await this.clock.wait(Math.min(waitMs, timeoutMs));
		if (waitMs > timeoutMs) send.kind = 'limit';
		return waitMs > timeoutMs;
	}

	/** What the service does with a request that has arrived. */
	private handle(send: SentRequest, fault: Fault | undefined): Answer {
		const { limit } = this.world;
		const { now } = this.clock;
		const isLogin = send.run === LOGIN;
		if (limit && !limit.timeoutMs && send.key === 0 && !this.isWithin(limit)) {
			send.kind = 'limit';
			return [
				limit.status === 429 ? 'not_done' : 'unknown',
				{ status: limit.status, headers: limit.retryAfter ? { 'retry-after': '1' } : {} },
			];
		}
		if (send.kind === 'token revoked') this.endTokens(send.key);
		const isAccepted =
			isLogin ||
			(!this.isRefused(send) &&
				this.tokens.some(({ text, from, until }) => text === send.token && now >= from && now < until));
		const isOfApi = typeof fault?.reply === 'object' && 'isOfApi' in fault.reply;
		if (!isAccepted && (isOfApi || fault?.stage === 'done' || !fault?.reply)) return ['not_done', createApiError(401)];
		const answer =
			fault?.reply && fault.stage !== 'done' ? undefined : isLogin ? this.logIn(send) : this.carryOut(send);
		return fault?.reply ? [fault.outcome, fault.reply] : answer!;
	}

	private carryOut(send: SentRequest): Answer {
		if (send.method === 'GET') {
			const states = this.gateways.get(send.id) ?? [{ value: { id: send.id } }];
			const gateway = states.at(-1)!.value;
			return gateway === undefined
				? ['not_done', createApiError(404)]
				: ['done', { status: 200, body: JSON.stringify(gateway) }];
		}
		send.wasDone = true;
		this.doneCounts.set(send.id, (this.doneCounts.get(send.id) ?? 0) + 1);
		return ['done', send.method === 'PUT' ? { status: 204 } : { status: 201, body: JSON.stringify({ id: send.id }) }];
	}

	private logIn(send: SentRequest): Answer {
		const { newestOnly, lifetimeMs = Infinity, saysLifetime, validAfterMs = 0 } = this.world.tokens;
		const { now } = this.clock;
		if (newestOnly) this.endTokens(send.key);
		const text = `${TOKEN}${this.tokens.length + 1}`;
		send.token = text;
		this.tokens.push({ text, key: send.key, from: now + validAfterMs, until: now + lifetimeMs });
		return [
			'done',
			{
				status: 200,
				body: JSON.stringify({ access_token: text, ...(saysLifetime && { expires_in: lifetimeMs / 1_000 }) }),
			},
		];
	}

	private endTokens(key: number): void {
		for (const token of this.tokens) if (token.key === key) token.until = Math.min(token.until, this.clock.now);
	}

	private faultOf({ run, id }: Request): [kind: string, fault?: Fault] {
		const isLogin = run === LOGIN;
		const place = isLogin ? 'logins' : run === TRIGGER ? 'trigger' : 'requests';
		const nth = this.counts[place]++;
		const match = this.world.faults.find(({ of, kind, from, times, item = from % 10, every = 1, share = 1 }) => {
			if (of === 'item') return run >= 0 && itemOf(id) === item;
			if (share < 1 && this.clock.random() >= share) return false;
			if ((nth - from) % every !== 0) return false;
			const first = isLogin ? from % 3 : from;
			// Each takes its five minutes.
			const faultLength = FAULTS[kind]!.reply === 'nothing' ? Math.min(times, 8) : times;
			return of === place && nth >= first && nth < first + faultLength;
		});
		// To the trigger, 404 is the service's word that a gateway is gone.
		return !match || this.isWell || (run === TRIGGER && match.kind === '404') ? [''] : [match.kind, FAULTS[match.kind]];
	}

	/** The outage that a request meets, or its reply; notes that it has met one. */
	private outageOf(send: SentRequest, isReply = false): World['outage'] {
		const { outage } = this.world;
		const { now } = this.clock;
		if (!outage || send.key !== 0 || !isAway(outage, now)) return undefined;
		const by = send.run === LOGIN ? (outage.loginsBy ?? outage.by) : outage.by;
		// What the API has accepted, it answers.
		if (isReply && by === REJECTING_OUTAGE) return undefined;
		if (
			(outage.of === 'half' && send.nth % 2 === 0) ||
			(outage.of === 'creates' && (send.method !== 'POST' || send.run === LOGIN)) ||
			(outage.of === 'requests' && send.run === LOGIN)
		)
			return undefined;
		send.kind = 'outage';
		return { ...outage, by };
	}

	/** Whether there is room for a request: among those in flight, or in a bucket that holds a second's, or another burst. */
	private isWithin({ atOnce, fallsTo, ...limit }: NonNullable<World['limit']>): boolean {
		if (atOnce !== undefined) return this.inFlight <= atOnce;
		const { now } = this.clock;
		const { perSecond } = fallsTo && now >= fallsTo.at ? fallsTo : limit;
		const { burst = perSecond } = limit;
		const left = Math.min(burst, this.bucket.left + ((now - this.bucket.at) * perSecond) / 1_000);
		this.bucket = { left: left < 1 ? left : left - 1, at: now };
		return left >= 1;
	}
}
