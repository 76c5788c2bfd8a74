import { ConcurrencyLimiter, type LimiterSignal, type Permit } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import { RunLimit } from '../../nodes/VoiceAdmin/transport/flow/runLimit';
import { settle, VirtualClock } from '../support/time';
import { CASES, cases, fc, TIME_LIMIT_MS } from './support';

const LIMITERS = 2;
const RUNS = 4;
const STALLED_MS = 5_000;

const times = <const T,>(count: number, value: T): T[] => Array<T>(count).fill(value);

/** Each step uses what it needs of this. */
const step = fc.record({
	do: fc.constantFrom('login', 'close', ...times(6, 'acquire'), ...times(10, 'release'), ...times(4, 'advance')),
	run: fc.nat(RUNS - 1),
	limiter: fc.nat(LIMITERS - 1),
	isRetry: fc.boolean(),
	count: fc.integer({ min: 1, max: 12 }),
	permit: fc.nat(),
	signal: fc.constantFrom<LimiterSignal>('success', 'ignore', 'failed', 'dropped'),
	pauseMs: fc.option(fc.nat(5_000), { freq: 5, nil: undefined }),
	isForKey: fc.boolean(),
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
	number: number;
}

/** Limiters and runs with virtual time, and a model of what they may do, which is checked at each permit given. */
class Model {
	readonly clock = new VirtualClock();
	private readonly limiters = Array.from({ length: LIMITERS }, () => new ConcurrencyLimiter(undefined, this.clock));
	readonly runs: RunLimit[];
	private readonly pausedUntil = Array<number>(LIMITERS).fill(0);
	private readonly runPausedUntil = Array<number>(RUNS).fill(0);
	/** When a permit of each limiter was last released. */
	private readonly releasedAt = Array<number>(LIMITERS).fill(0);
	readonly waiting = new Set<Request>();
	/** Requests that got a permit since the last check: in which order at one moment, promises do not tell. */
	private given: Request[] = [];
	readonly inFlight: Array<{ request: Request; permit: Permit }> = [];
	/** For each run that waits for a limiter and has room: how many permits each other run got of it since. */
	private readonly overtaken = new Map<string, Map<number, number>>();
	private requests = 0;
	readonly problems: string[] = [];

	constructor(private readonly bounds: number[]) {
		this.runs = bounds.map((bound) => new RunLimit(bound, this.clock));
	}

	acquire(of: Omit<Request, 'number'>): void {
		const request = { ...of, number: this.requests++ };
		const limiterOf = this.limiters[of.limiter]!;
		const acquired = of.run === undefined ? limiterOf.acquireForLogin() : this.runs[of.run]!.acquire(limiterOf, of.isRetry);
		this.waiting.add(request);
		void acquired.then((permit) => {
			if (!this.waiting.delete(request)) this.problems.push('settled twice');
			if (permit) this.give(request, permit);
			else if (of.run === undefined || !this.runs[of.run]!.isClosed) this.problems.push('sent away without reason');
		});
	}

	release(index: number, how: LimiterSignal = 'success', pauseMs?: number, isForKey = true): void {
		if (this.inFlight.length === 0) return;
		const [{ request, permit }] = this.inFlight.splice(index % this.inFlight.length, 1) as [{ request: Request; permit: Permit }];
		const now = this.clock.now();
		const [paused, who] = isForKey || request.run === undefined ? [this.pausedUntil, request.limiter] : [this.runPausedUntil, request.run];
		if (pauseMs !== undefined) paused[who] = Math.max(paused[who]!, now + pauseMs);
		this.releasedAt[request.limiter] = now;
		permit.release(how, pauseMs === undefined ? undefined : { ms: pauseMs, isForKey });
		// Only the first call counts.
		permit.release('success');
	}

	/** After every moment: who got a permit, and who waits and has room, and is not to be overtaken twice by the same run from here on. */
	readonly check = (): void => {
		const keyOf = ({ run, limiter }: Request) => `${limiter} ${run}`;
		const served = new Set(this.given.map(keyOf));
		for (const key of served) this.overtaken.delete(key);
		for (const request of this.given) {
			const ofRun = [...this.waiting].filter((other) => keyOf(other) === keyOf(request));
			if (ofRun.some((other) => (other.isRetry && !request.isRetry) || (other.isRetry === request.isRetry && other.number < request.number))) {
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
				const mayHave = this.held(index) < this.bounds[index]! && this.clock.now() >= this.runPausedUntil[index]!;
				const isEligible = mayHave && [...this.waiting].some(({ run: r, limiter: l }) => r === index && l === of);
				if (!isEligible) this.overtaken.delete(key);
				else if (!this.overtaken.has(key)) this.overtaken.set(key, new Map());
			}
		}
	};

	private held(index: number): number {
		return this.inFlight.filter(({ request }) => request.run === index).length;
	}

	private give(request: Request, permit: Permit): void {
		const { run: index, limiter: of } = request;
		if (this.clock.now() < this.pausedUntil[of]!) this.problems.push('given while the service asks to wait');
		this.inFlight.push({ request, permit });
		this.given.push(request);
		if (index === undefined) return;
		if (this.runs[index]!.isClosed) this.problems.push('given to a run that is closed');
		if (this.held(index) > this.bounds[index]!) this.problems.push('above the bound of the run');
		const atLimiter = this.inFlight.filter(({ request: other }) => other.limiter === of).length;
		// Where nothing has been released for 5 seconds, a run that holds no permit may have one.
		const isStalled = this.held(index) === 1 && this.clock.now() - this.releasedAt[of]! >= STALLED_MS;
		if (atLimiter > this.limiters[of]!.limit && !isStalled) this.problems.push('above the limit');
		if (this.clock.now() < this.runPausedUntil[index]!) this.problems.push('given while the run has to wait');
	}
}

/** Serves all that is left. @returns whether all are served */
async function finish(model: Model): Promise<boolean> {
	const isDone = () => model.waiting.size === 0 && model.inFlight.length === 0;
	// Each round gives one permit at least: no pause and no interval is longer than 10 seconds.
	for (let rounds = 0; rounds < 1_000 && !isDone(); rounds++) {
		for (; model.inFlight.length > 0; model.check()) {
			model.release(0);
			await settle();
		}
		await model.clock.advance(10_000, model.check);
	}
	return isDone();
}

test(`in any order of requests and responses no permit is lost, no bound exceeded, nobody starves (${cases(CASES)})`, async () => {
	await fc.assert(
		fc.asyncProperty(schedule, async ({ bounds, steps }) => {
			const model = new Model(bounds);
			// One request in each step: the model looks at who got a permit before the next one, which may go first, asks.
			const each = steps.flatMap((action) => (action.do === 'acquire' ? times(action.count, action) : [action]));
			for (const { do: what, run, limiter, isRetry, permit, signal, pauseMs, isForKey, ms } of each) {
				if (what === 'acquire') model.acquire({ run, limiter, isRetry });
				if (what === 'login') model.acquire({ limiter, isRetry: false });
				if (what === 'release') model.release(permit, pauseMs === undefined ? signal : 'dropped', pauseMs, isForKey);
				if (what === 'close') model.runs[run]!.close();
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
