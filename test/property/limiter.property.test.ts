import { ConcurrencyLimiter, type LimiterSignal, type Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { settle, VirtualClock } from '../support/time';
import { CASES, cases, fc, TIME_LIMIT_MS } from './support';

const LIMITERS = 2;
const RUNS = 4;
const STALLED_MS = 5_000;

/** Until a probe that has no answer is followed by another one, in milliseconds. */
const PROBE_MS = 10_000;

/** Longer than any schedule: nobody is sent away for having waited. */
const MAX_WAIT_MS = 1e9;

const times = <const T,>(count: number, value: T): T[] => Array<T>(count).fill(value);

/** Each step uses what it needs of this. */
const step = fc.record({
	do: fc.constantFrom('login', 'close', ...times(6, 'acquire'), ...times(10, 'release'), ...times(4, 'advance')),
	run: fc.nat(RUNS - 1),
	limiter: fc.nat(LIMITERS - 1),
	isRetry: fc.boolean(),
	count: fc.integer({ min: 1, max: 12 }),
	permit: fc.nat(),
	signal: fc.constantFrom<LimiterSignal>('success', 'success', 'answered', 'ignore', 'unavailable', 'rateLimited'),
	status: fc.constantFrom(undefined, 429, 502, 503),
	retryAfterMs: fc.option(fc.nat(5_000), { freq: 3, nil: undefined }),
	ms: fc.nat(3_000),
});

const schedule = fc.record({
	bounds: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: RUNS, maxLength: RUNS }),
	steps: fc.array(step, { maxLength: 40 }),
});

/** A request, as the model sees it. */
interface Request {
	/** undefined for a login. */
	run?: number;
	limiter: number;
	isRetry: boolean;
	isRepeatable: boolean;
	number: number;
}

/** Limiters and runs with virtual time, and a model of what they may do, which is checked at each permit given. */
class Model {
	readonly clock = new VirtualClock();
	private readonly limiters = Array.from({ length: LIMITERS }, () => new ConcurrencyLimiter(undefined, this.clock));
	readonly runs: RunLimit[];
	/** When a permit of each limiter was last released. */
	private readonly releasedAt = Array<number>(LIMITERS).fill(0);
	private readonly waiting = new Set<Request>();
	/** Requests that got a permit since the last check: in which order at one moment, promises do not tell. */
	private given: Request[] = [];
	readonly inFlight: Array<{ request: Request; permit: Permit }> = [];
	/** The probe of each limiter's outage: when it was sent; undefined for none that is in flight. */
	private readonly probes = Array<{ permit: Permit; at: number } | undefined>(LIMITERS).fill(undefined);
	/** For each run that waits for a limiter and has room: how many permits each other run got of it since. */
	private readonly overtaken = new Map<string, Map<number, number>>();
	private requests = 0;
	readonly problems: string[] = [];

	constructor(private readonly bounds: number[]) {
		this.runs = bounds.map((bound) => new RunLimit(bound, MAX_WAIT_MS, this.clock));
	}

	/** Where nothing has answered yet, requests wait for ten seconds only. */
	async start(): Promise<void> {
		for (const limiter of this.limiters) ((await new RunLimit(1).acquire(limiter, {})) as Permit).release('answered');
	}

	acquire(of: Omit<Request, 'number'>, login = false): void {
		const request = { ...of, ...(login && { run: undefined, isRetry: false }), number: this.requests++ };
		const [limiter, run] = [this.limiters[of.limiter]!, this.runs[of.run!]!];
		this.waiting.add(request);
		void (login ? run.acquireForLogin(limiter) : run.acquire(limiter, of)).then((acquired) => {
			if (!this.waiting.delete(request)) this.problems.push('settled twice');
			if (acquired === 'logInFirst') this.logInFirst(of);
			else if (acquired) this.give(request, acquired);
			else if (!run.isClosed) this.problems.push('sent away without reason');
		});
	}

	release(index: number, signal: LimiterSignal = 'success', retryAfterMs?: number, status?: number): void {
		if (this.inFlight.length === 0) return;
		const [{ request, permit }] = this.inFlight.splice(index % this.inFlight.length, 1) as [{ request: Request; permit: Permit }];
		this.releasedAt[request.limiter] = this.clock.now();
		if (this.probes[request.limiter]?.permit === permit) this.probes[request.limiter] = undefined;
		permit.report(signal, { retryAfterMs, status });
		permit.release();
		// Only the first call counts.
		permit.release('success');
		if (!this.limiters[request.limiter]!.outage) this.probes[request.limiter] = undefined;
	}

	/** After every moment: who got a permit, and who waits and has room, and is not to be overtaken twice by the same run from here on. */
	readonly check = (): void => {
		const keyOf = ({ run, limiter }: Request) => `${limiter} ${run}`;
		for (const request of this.given) this.overtaken.delete(keyOf(request));
		for (const request of this.given) {
			const ofRun = [...this.waiting].filter((other) => keyOf(other) === keyOf(request));
			const isAway = this.limiters[request.limiter]!.outage !== undefined;
			if (!isAway && ofRun.some((other) => (other.isRetry && !request.isRetry) || (other.isRetry === request.isRetry && other.number < request.number))) {
				this.problems.push('out of order within the run');
			}
			for (const [key, counts] of this.overtaken) {
				if (request.run === undefined || !key.startsWith(`${request.limiter} `)) continue;
				counts.set(request.run, (counts.get(request.run) ?? 0) + 1);
				if (counts.get(request.run)! > 1) this.problems.push('a run that waits was overtaken twice by another');
			}
		}
		this.given = [];
		for (let of = 0; of < LIMITERS; of++) {
			for (let index = 0; index < RUNS; index++) {
				const key = `${of} ${index}`;
				const mayHave = !this.limiters[of]!.outage && this.held(index) < this.bounds[index]!;
				const isEligible = mayHave && [...this.waiting].some(({ run: r, limiter: l }) => r === index && l === of);
				// A probe is chosen by what it costs, and not by whose turn it is.
				if (!isEligible) this.overtaken.delete(key);
				else if (!this.overtaken.has(key)) this.overtaken.set(key, new Map());
			}
		}
	};

	/** Whether all are served, and each permit came back. */
	get isDone(): boolean {
		return this.waiting.size === 0 && this.inFlight.length === 0 && this.limiters.every(({ isIdle }) => isIdle);
	}

	private held(index: number): number {
		return this.inFlight.filter(({ request }) => request.run === index).length;
	}

	/** As a request does: it waits again, after a login. */
	private logInFirst(of: Omit<Request, 'number'>): void {
		if (of.isRepeatable) this.problems.push('a login before a request that can be repeated');
		if (this.limiters[of.limiter]!.outage?.cause !== 'unavailable') this.problems.push('a login though no service is away');
		this.acquire(of, true);
		this.acquire(of);
	}

	private give(request: Request, permit: Permit): void {
		const { run: index, limiter: of } = request;
		const { outage, limit } = this.limiters[of]!;
		const now = this.clock.now();
		this.inFlight.push({ request, permit });
		this.given.push(request);
		if (outage) {
			const probe = this.probes[of];
			if (probe && now < probe.at + PROBE_MS) this.problems.push('a second probe');
			this.probes[of] = { permit, at: now };
			const isCreate = index !== undefined && !request.isRepeatable;
			if (isCreate && outage.cause === 'unavailable' && !outage.hasLoggedIn) this.problems.push('a create before a login');
			if (isCreate && outage.cause === 'unavailable' && [...this.waiting].some((each) => each.limiter === of && (each.run === undefined || (each.isRepeatable && each.run !== index
				&& this.held(each.run) < this.bounds[each.run]!)))) this.problems.push('a create before what costs less');
		}
		if (index === undefined) return;
		if (this.runs[index]!.isClosed) this.problems.push('given to a run that is closed');
		if (this.held(index) > this.bounds[index]!) this.problems.push('above the bound of the run');
		const atLimiter = this.inFlight.filter(({ request: other }) => other.limiter === of).length;
		// Where nothing has been released for 5 seconds, a run that holds no permit may have one.
		const isStalled = this.held(index) === 1 && now - this.releasedAt[of]! >= STALLED_MS;
		if (!outage && atLimiter > limit && !isStalled) this.problems.push('above the limit');
	}
}

/** Serves all that is left. @returns whether all are served */
async function finish(model: Model): Promise<boolean> {
	// Each round gives one permit at least: no wait and no interval is longer than 11 seconds.
	for (let rounds = 0; rounds < 1_000 && !model.isDone; rounds++) {
		for (; model.inFlight.length > 0; model.check()) {
			model.release(0);
			await settle();
		}
		await model.clock.advance(11_000, model.check);
	}
	return model.isDone;
}

test(`in any order of requests and responses no permit is lost, no bound exceeded, nobody starves (${cases(CASES)})`, async () => {
	await fc.assert(
		fc.asyncProperty(schedule, async ({ bounds, steps }) => {
			const model = new Model(bounds);
			await model.start();
			// One request in each step: the model looks at who got a permit before the next one, which may go first, asks.
			const each = steps.flatMap((action) => (action.do === 'acquire' ? times(action.count, action) : [action]));
			for (const { do: what, permit, signal, status, retryAfterMs, ms, ...request } of each) {
				// A run has one operation.
				const isRepeatable = request.run % 2 === 0;
				if (what === 'acquire' || what === 'login') model.acquire({ ...request, isRepeatable }, what === 'login');
				if (what === 'release') model.release(permit, signal, retryAfterMs, status);
				if (what === 'close') model.runs[request.run]!.close();
				if (what === 'advance') await model.clock.advance(ms, model.check);
				else await settle();
				model.check();
				expect(model.problems).toEqual([]);
			}
			expect(await finish(model)).toBe(true);
			expect(model.problems).toEqual([]);
		}),
		{ numRuns: CASES },
	);
}, TIME_LIMIT_MS * 2);
