import { REJECTING_OUTAGE } from './faults';
import { simulateWorld } from './simulateWorld';
import type { Run, World } from './world';

/** What the node's flow makes of one service: the figures that no promise names, and by which designs of it differ. */
export interface ServiceFigures {
	/** Until the last run has ended, in simulated milliseconds. */
	ms: number;
	/** Requests that the service rejected or failed, in percent of those that were sent. */
	failedPercent: number;
	/** Items with an error, and those of them whose outcome is unknown. */
	errors: number;
	unknown: number;
}

/** A run with the defaults of a read. */
export const RUN = {
	process: 0,
	key: 0,
	startAt: 0,
	cancelAt: undefined,
	countries: 1,
	maxConcurrency: 200,
	maxRetries: 3,
	maxWait: 120,
	retryOnFail: false,
	continues: true,
	retriedIn: undefined,
	dryRun: undefined,
} satisfies Partial<Run>;

const runOfGets = (items: number, more: Partial<Run> = {}): Run => ({ ...RUN, operation: 'get', items, ...more });
const runOfCreates = (items: number, more: Partial<Run> = {}): Run => ({
	...RUN,
	operation: 'create',
	items,
	...more,
});

const WORLD = { seed: 7, latency: 50, tokens: { saysLifetime: false }, faults: [] };
const createService = (more: Partial<World>): World => ({ ...WORLD, ...more }) as World;

/** Behind so many requests a second. */
const limitRate = (
	perSecond: number,
	runs: Run[],
	more: Partial<World> &
		Pick<NonNullable<World['limit']>, 'burst' | 'fallsTo'> & { retryAfter?: true; status?: 503 } = {},
) => {
	const { retryAfter = false, status = 429, burst, fallsTo, ...others } = more;
	return createService({ limit: { perSecond, burst, fallsTo, retryAfter, status }, runs, ...others });
};

/** Behind 30 requests in flight. */
const limitConcurrency = (status: 429 | 503, runs: Run[]) =>
	createService({ limit: { perSecond: 0, atOnce: 30, retryAfter: false, status }, runs });

/** A service that works on ten requests a second, behind a proxy that waits for so long. */
const queueRequests = (timeoutMs: number, runs: Run[]) =>
	createService({ limit: { perSecond: 10, timeoutMs, retryAfter: false, status: 429 }, runs });

type Outage = NonNullable<World['outage']>;

const addOutage = (ms: number, runs: Run[], of: Outage['of'] = 'all', by: Outage['by'] = '502', at = 200) =>
	createService({ outage: { at, ms, again: undefined, by, loginsBy: undefined, of }, runs });

/** Items that always get this. */
const addFailingItems = (kind: string, items: number[], runs: Run[]) =>
	createService({ faults: items.map((item) => ({ kind, of: 'item', from: 0, times: 1_000, item })), runs });

/** Requests that get this: every second one, or a share at random. */
const addRandomFaults = (
	faults: Array<[kind: string, how: { every?: number; share?: number }]>,
	more: Partial<World>,
) =>
	createService({
		faults: faults.map(([kind, how]) => ({ kind, of: 'requests', from: 0, times: 1_000_000, ...how })),
		...more,
	});
const createHangingFaults = (...from: number[]): World['faults'] =>
	from.map((nth) => ({ kind: 'no response', of: 'requests', from: nth, times: 8 }));

const range = (from: number, until: number) => Array.from({ length: until - from }, (_, nth) => from + nth);
const oneIn = (frequency: number, items: number) => range(0, items).filter((item) => item % frequency === 3);
const FIRST_TEN = range(0, 10);
const STORM: Parameters<typeof addRandomFaults>[0] = [
	['connection breaks', { share: 0.05 }],
	['503', { share: 0.05 }],
	['429', { share: 0.025 }],
	['429 with Retry-After', { share: 0.025 }],
];

/** The services, and what is asked of them. Latency is 50 ms where nothing else is said. */
export const SERVICES: Record<string, World> = {
	'1,000 gets': createService({ runs: [runOfGets(1_000)] }),
	'1,000 gets, 300 ms': createService({ latency: 300, runs: [runOfGets(1_000)] }),
	'1,000 gets, Max Concurrency 10': createService({ runs: [runOfGets(1_000, { maxConcurrency: 10 })] }),
	'1,000 creates': createService({ runs: [runOfCreates(1_000)] }),
	'1,000 creates, Max Concurrency 25': createService({ runs: [runOfCreates(1_000, { maxConcurrency: 25 })] }),

	'1,000 gets, 100 a second, Retry-After': limitRate(100, [runOfGets(1_000)], { retryAfter: true }),
	'3 x 1,000 gets, 100 a second, Retry-After': limitRate(100, [runOfGets(1_000), runOfGets(1_000), runOfGets(1_000)], {
		retryAfter: true,
	}),
	'5 x 400 gets, 100 a second, Retry-After, 20 ms': limitRate(100, Array<Run>(5).fill(runOfGets(400)), {
		retryAfter: true,
		latency: 20,
	}),
	'100 x 20 gets, 100 a second, Retry-After, 20 ms': limitRate(100, Array<Run>(100).fill(runOfGets(20)), {
		retryAfter: true,
		latency: 20,
	}),
	'1,000 creates, 100 a second, Retry-After': limitRate(100, [runOfCreates(1_000)], { retryAfter: true }),
	'3 x 1,000 gets, 100 a second, Retry-After, 200 ms': limitRate(100, Array<Run>(3).fill(runOfGets(1_000)), {
		retryAfter: true,
		latency: 200,
	}),
	'3 x 1,000 gets, 20 a second, Retry-After, 200 ms': limitRate(20, Array<Run>(3).fill(runOfGets(1_000)), {
		retryAfter: true,
		latency: 200,
	}),
	'1,000 gets, 100 a second, Retry-After, 400 ms': limitRate(100, [runOfGets(1_000)], {
		retryAfter: true,
		latency: 400,
	}),
	'1,000 gets, 100 a second': limitRate(100, [runOfGets(1_000)]),
	'100 gets, 10 a second, 20 ms': limitRate(10, [runOfGets(100)], { latency: 20 }),
	'1,000 gets, 10 a second': limitRate(10, [runOfGets(1_000)]),
	'500 gets, 100 a second, from 2 s on 10': limitRate(100, [runOfGets(500)], { fallsTo: { perSecond: 10, at: 2_000 } }),
	'3 processes with 333 gets each, 50 a second, Retry-After': limitRate(
		50,
		[0, 1, 2].map((process) => runOfGets(333, { process })),
		{ retryAfter: true },
	),
	'1,000 gets, 50 a second by 503': limitRate(50, [runOfGets(1_000)], { status: 503 }),
	'1,000 gets, 10 a second by 503': limitRate(10, [runOfGets(1_000)], { status: 503 }),
	'300 gets, two a second by 503': limitRate(2, [runOfGets(300)], { status: 503 }),
	'1,000 creates, 50 a second by 503': limitRate(50, [runOfCreates(1_000)], { status: 503 }),
	'60 creates, 10 a second without a burst, by 503': limitRate(10, [runOfCreates(60, { maxConcurrency: 25 })], {
		status: 503,
		burst: 1,
		latency: 5,
	}),
	'100 gets, 10 a second without a burst, by 503': limitRate(10, [runOfGets(100)], {
		status: 503,
		burst: 1,
		latency: 5,
	}),
	'100 gets, 10 a second without a burst': limitRate(10, [runOfGets(100)], { burst: 1, latency: 5 }),
	'600 gets, 30 at once by 503': limitConcurrency(503, [runOfGets(600)]),
	'1,000 creates, 30 at once by 503': limitConcurrency(503, [runOfCreates(1_000)]),
	'1,000 gets, 30 at once by 429': limitConcurrency(429, [runOfGets(1_000)]),

	'1,000 creates, 10 a second, 504 after 5 s': queueRequests(5_000, [runOfCreates(1_000)]),
	'1,000 creates, Max Concurrency 25, 10 a second, 504 after 2 s': queueRequests(2_000, [
		runOfCreates(1_000, { maxConcurrency: 25 }),
	]),
	'1,000 gets, 10 a second, 504 after 5 s': queueRequests(5_000, [runOfGets(1_000)]),

	'300 creates, every second request 429': addRandomFaults([['429', { every: 2 }]], { runs: [runOfCreates(300)] }),
	'300 gets, every second request 429': addRandomFaults([['429', { every: 2 }]], { runs: [runOfGets(300)] }),
	'300 creates, 10 % 429 at random': addRandomFaults([['429', { share: 0.1 }]], { runs: [runOfCreates(300)] }),
	'2,000 gets, storm, 10 ms': addRandomFaults(STORM, { latency: 10, runs: [runOfGets(1_000), runOfGets(1_000)] }),
	'1,000 creates, storm, 10 ms': addRandomFaults(STORM, {
		latency: 10,
		runs: [runOfCreates(1_000, { maxConcurrency: 25 })],
	}),

	'1,000 creates, away for 1 s': addOutage(1_000, [runOfCreates(1_000)]),
	'1,000 creates, Max Concurrency 25, away for 1 s': addOutage(1_000, [runOfCreates(1_000, { maxConcurrency: 25 })]),
	'1,000 creates, away for 20 s': addOutage(20_000, [runOfCreates(1_000)]),
	'1,000 gets, away for 20 s': addOutage(20_000, [runOfGets(1_000)]),
	'1,000 gets, away for 60 s by 503': addOutage(60_000, [runOfGets(1_000)], 'all', '503'),
	'300 creates, half away for 60 s': addOutage(60_000, [runOfCreates(300)], 'half'),
	'300 creates, Max Concurrency 5, half away for 60 s by 503 with Retry-After': addOutage(
		60_000,
		[runOfCreates(300, { maxConcurrency: 5 })],
		'half',
		'503 with Retry-After',
	),
	'300 gets, half away for 60 s': addOutage(60_000, [runOfGets(300)], 'half'),
	'300 creates and gets, creates away for 60 s': addOutage(60_000, [runOfCreates(300), runOfGets(300)], 'creates'),
	'300 creates, all but logins away for 60 s': addOutage(60_000, [runOfCreates(300)], 'requests'),
	'300 gets, all but logins away for 60 s': addOutage(60_000, [runOfGets(300)], 'requests'),
	'100 creates and 300 gets, creates away for 20 s by 503 of the API': addOutage(
		20_000,
		[runOfCreates(100, { maxConcurrency: 25 }), runOfGets(300)],
		'creates',
		REJECTING_OUTAGE,
	),
	'100 creates, half away for 20 s by 503 of the API': addOutage(
		20_000,
		[runOfCreates(100, { maxConcurrency: 25 })],
		'half',
		REJECTING_OUTAGE,
	),
	// It can't be told from one that always fails.
	'6 gets, all but logins away for 20 s as the last is sent': addOutage(
		20_000,
		[runOfGets(5), runOfGets(1, { startAt: 1_000 })],
		'requests',
	),
	// One is answered that was sent after another one, which fails.
	'12 gets, away for 20 s as some are answered': addOutage(20_000, [runOfGets(12)], 'all', '502', 90),
	'12 gets, three 502s, and then away for 20 s': {
		...addOutage(20_000, [runOfGets(12)]),
		faults: [{ kind: '502', of: 'requests', from: 0, times: 3 }],
	},
	'50 gets, Max Wait 10 s, away for 6 s': addOutage(6_000, [runOfGets(50, { maxWait: 10, maxConcurrency: 5 })]),
	'50 gets, Max Wait 10 s, away for 8 s': addOutage(8_000, [runOfGets(50, { maxWait: 10, maxConcurrency: 5 })]),
	'50 gets, Max Wait 3 s, away for 2 s': addOutage(2_000, [runOfGets(50, { maxWait: 3, maxConcurrency: 5 })]),
	'50 gets, Max Wait 3 s, away for 2.7 s': addOutage(2_700, [runOfGets(50, { maxWait: 3, maxConcurrency: 5 })]),

	'19 gets and a create, away for 0.45 s, and then for 20 s': createService({
		outage: { at: 60, ms: 450, again: { afterMs: 350, ms: 20_000 }, by: '502', loginsBy: undefined, of: 'all' },
		runs: [runOfCreates(1), runOfGets(19)],
	}),
	'a create, and 50 ten minutes later, the first of each 502': createService({
		faults: [0, 1].map((from) => ({ kind: '502', of: 'requests', from, times: 1 })),
		runs: [runOfCreates(1), runOfCreates(50, { startAt: 600_000 })],
	}),
	'60 creates, Max Concurrency 1, the first always 503 with Retry-After, away for 1 s': {
		...addOutage(1_000, [runOfCreates(60, { maxConcurrency: 1 })]),
		faults: [{ kind: '503 with Retry-After', of: 'item', from: 0, times: 1_000, item: 0 }],
	},

	'1,000 gets, ten always 504': addFailingItems('504, done', FIRST_TEN, [runOfGets(1_000)]),
	'10 gets, the last always 503 with Retry-After': addFailingItems('503 with Retry-After', [9], [runOfGets(10)]),
	'6 gets, two always 502': addFailingItems('502', [0, 1], [runOfGets(6)]),
	// They can't be told from an outage.
	'10 gets, the last two always 502': addFailingItems('502', [8, 9], [runOfGets(10)]),
	'1,000 gets, one in 20 always 503': addFailingItems('503', oneIn(20, 1_000), [runOfGets(1_000)]),
	'1,000 gets, one in ten always 503': addFailingItems('503', oneIn(10, 1_000), [runOfGets(1_000)]),
	'20 creates, Max Concurrency 5, three always 503 with Retry-After': addFailingItems(
		'503 with Retry-After',
		[3, 4, 5],
		[runOfCreates(20, { maxConcurrency: 5 })],
	),
	'20 creates, Max Concurrency 1, three always 503 with Retry-After': addFailingItems(
		'503 with Retry-After',
		[3, 4, 5],
		[runOfCreates(20, { maxConcurrency: 1 })],
	),
	'300 gets, Max Concurrency 5, six in a row always 502': addFailingItems('502', range(50, 56), [
		runOfGets(300, { maxConcurrency: 5 }),
	]),
	'400 gets, the first 100 always 502': addFailingItems('502', range(0, 100), [runOfGets(400)]),
	'200 creates, Max Concurrency 25, the first 40 always 503 with Retry-After': addFailingItems(
		'503 with Retry-After',
		range(0, 40),
		[runOfCreates(200, { maxConcurrency: 25 })],
	),
	'900 creates, Max Concurrency 25, one is asked by 503 to wait for 300 s': createService({
		faults: [{ kind: 'asks by 503 to wait for long', of: 'requests', from: 55, times: 1 }],
		runs: [runOfCreates(900, { maxConcurrency: 25 })],
	}),
	'300 creates, Max Concurrency 25, Max Wait 3 s, 10 % refused at random': addRandomFaults(
		[['connection refused', { share: 0.1 }]],
		{ runs: [runOfCreates(300, { maxConcurrency: 25, maxWait: 3 })] },
	),
	'1,000 gets, three always 503': addFailingItems('503', [3, 7, 9], [runOfGets(1_000)]),
	'1,000 creates, three 504': addFailingItems('504, done', [3, 6, 9], [runOfCreates(1_000)]),
	'1,000 creates, ten 504 in a row': addFailingItems('504, done', FIRST_TEN, [runOfCreates(1_000)]),
	'10 gets, the last always 504': addFailingItems('504, done', [9], [runOfGets(10)]),
	'200 gets, the last always 503': addFailingItems('503', [199], [runOfGets(200)]),
	'10 gets, Max Concurrency 1, the fourth always 504': addFailingItems(
		'504, done',
		[3],
		[runOfGets(10, { maxConcurrency: 1 })],
	),
	'200 gets, two always 429': addFailingItems('429', [3, 7], [runOfGets(200)]),
	'1,000 gets, eight hang': createService({
		faults: createHangingFaults(40),
		runs: [runOfGets(1_000)],
	}),
	'40 and 100 gets, 32 hang': createService({
		faults: createHangingFaults(0, 8, 16, 24),
		runs: [runOfGets(40), runOfGets(100, { startAt: 1_000 })],
	}),
	'30 gets, Max Concurrency 2, all but logins hang': createService({
		faults: createHangingFaults(...Array.from({ length: 30 }, (_, index) => 8 * index)),
		runs: [runOfGets(30, { maxConcurrency: 2 })],
	}),
	'10 and 1,000 gets, eight of the ten hang': createService({
		faults: createHangingFaults(0),
		runs: [runOfGets(10), runOfGets(1_000, { startAt: 1_000 })],
	}),
};

/** Of which the figures are means: whom chance strikes differs. */
const SEEDS = [7, 8, 9];

/** Lets one of `SERVICES` happen, with three seeds. The same on every machine. */
export async function measure(world: World): Promise<ServiceFigures> {
	const figures: ServiceFigures[] = [];
	for (const seed of SEEDS) figures.push(await measureOnce({ ...world, seed }));
	const meanOf = (name: keyof ServiceFigures) => figures.reduce((sum, each) => sum + each[name], 0) / SEEDS.length;
	return {
		ms: Math.round(meanOf('ms')),
		failedPercent: Math.round(10 * meanOf('failedPercent')) / 10,
		errors: Math.round(10 * meanOf('errors')) / 10,
		unknown: Math.round(10 * meanOf('unknown')) / 10,
	};
}

async function measureOnce(world: World): Promise<ServiceFigures> {
	const { attempts, sentRequests } = await simulateWorld(world);
	const hasFailed = ({ kind, status = 0 }: (typeof sentRequests)[number]) =>
		kind === 'limit' || kind === 'outage' || status === 429 || status >= 500;
	const errors = attempts.flatMap(({ output = [] }) =>
		output.flatMap(({ json }) => (json.error ? [json.error as { outcome?: string }] : [])),
	);
	return {
		ms: Math.max(...attempts.map(({ endedAt = Infinity }) => endedAt)),
		failedPercent: (100 * sentRequests.filter(hasFailed).length) / sentRequests.length,
		errors: errors.length,
		unknown: errors.filter(({ outcome }) => outcome === 'unknown').length,
	};
}

/** What is worse than accepted by more than a tenth, and by more than chance; '' for nothing. */
export function describeRegressions(current: ServiceFigures, accepted: ServiceFigures | undefined): string {
	if (!accepted) return 'no figures were accepted';
	const tolerance: ServiceFigures = { ms: 100, failedPercent: 0.5, errors: 0.5, unknown: 0.5 };
	return (Object.keys(tolerance) as Array<keyof ServiceFigures>)
		.filter((name) => current[name] > 1.1 * accepted[name] + tolerance[name])
		.map((name) => `${name} ${accepted[name]} → ${current[name]}`)
		.join(', ');
}
