import { happen } from './happen';
import type { Run, World } from './world';

/** What the node's flow makes of one service: the figures that no promise names, and by which designs of it differ. */
export interface Figures {
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

const gets = (items: number, more: Partial<Run> = {}): Run => ({ ...RUN, operation: 'get', items, ...more });
const creates = (items: number, more: Partial<Run> = {}): Run => ({ ...RUN, operation: 'create', items, ...more });

const WORLD = { seed: 7, latency: 50, tokens: { saysLifetime: false }, faults: [] };
const serviceWith = (more: Partial<World>): World => ({ ...WORLD, ...more }) as World;

/** Behind so many requests a second. */
const limited = (
	perSecond: number,
	runs: Run[],
	more: Partial<World> &
		Pick<NonNullable<World['limit']>, 'burst' | 'fallsTo'> & { retryAfter?: true; status?: 503 } = {},
) => {
	const { retryAfter = false, status = 429, burst, fallsTo, ...others } = more;
	return serviceWith({ limit: { perSecond, burst, fallsTo, retryAfter, status }, runs, ...others });
};

/** Behind 30 requests in flight. */
const thirtyAtOnce = (status: 429 | 503, runs: Run[]) =>
	serviceWith({ limit: { perSecond: 0, atOnce: 30, retryAfter: false, status }, runs });

const away = (ms: number, runs: Run[], of: 'all' | 'half' | 'creates' = 'all') =>
	serviceWith({ outage: { at: 200, ms, by: '502', of }, runs });

/** Items that always get this. */
const failing = (kind: string, items: number[], runs: Run[]) =>
	serviceWith({ faults: items.map((item) => ({ kind, of: 'item', from: 0, times: 1_000, item })), runs });

/** Requests that get this: every second one, or a share at random. */
const randomly = (faults: Array<[kind: string, how: { every?: number; share?: number }]>, more: Partial<World>) =>
	serviceWith({
		faults: faults.map(([kind, how]) => ({ kind, of: 'requests', from: 0, times: 1_000_000, ...how })),
		...more,
	});
const hanging = (...from: number[]) =>
	from.map((nth) => ({ kind: 'no response', of: 'requests', from: nth, times: 8 }));

const FIRST_TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const STORM: Parameters<typeof randomly>[0] = [
	['connection breaks', { share: 0.05 }],
	['503', { share: 0.05 }],
	['429', { share: 0.025 }],
	['429 with Retry-After', { share: 0.025 }],
];

/** The services, and what is asked of them. Latency is 50 ms where nothing else is said. */
export const SERVICES: Record<string, World> = {
	'1,000 gets': serviceWith({ runs: [gets(1_000)] }),
	'1,000 gets, 300 ms': serviceWith({ latency: 300, runs: [gets(1_000)] }),
	'1,000 gets, Max Concurrency 10': serviceWith({ runs: [gets(1_000, { maxConcurrency: 10 })] }),
	'1,000 creates': serviceWith({ runs: [creates(1_000)] }),
	'1,000 creates, Max Concurrency 25': serviceWith({ runs: [creates(1_000, { maxConcurrency: 25 })] }),

	'1,000 gets, 100 a second, Retry-After': limited(100, [gets(1_000)], { retryAfter: true }),
	'3 x 1,000 gets, 100 a second, Retry-After': limited(100, [gets(1_000), gets(1_000), gets(1_000)], {
		retryAfter: true,
	}),
	'5 x 400 gets, 100 a second, Retry-After, 20 ms': limited(100, Array<Run>(5).fill(gets(400)), {
		retryAfter: true,
		latency: 20,
	}),
	'100 x 20 gets, 100 a second, Retry-After, 20 ms': limited(100, Array<Run>(100).fill(gets(20)), {
		retryAfter: true,
		latency: 20,
	}),
	'1,000 creates, 100 a second, Retry-After': limited(100, [creates(1_000)], { retryAfter: true }),
	'3 x 1,000 gets, 100 a second, Retry-After, 200 ms': limited(100, Array<Run>(3).fill(gets(1_000)), {
		retryAfter: true,
		latency: 200,
	}),
	'3 x 1,000 gets, 20 a second, Retry-After, 200 ms': limited(20, Array<Run>(3).fill(gets(1_000)), {
		retryAfter: true,
		latency: 200,
	}),
	'1,000 gets, 100 a second, Retry-After, 400 ms': limited(100, [gets(1_000)], { retryAfter: true, latency: 400 }),
	'1,000 gets, 100 a second': limited(100, [gets(1_000)]),
	'100 gets, 10 a second, 20 ms': limited(10, [gets(100)], { latency: 20 }),
	'1,000 gets, 10 a second': limited(10, [gets(1_000)]),
	'500 gets, 100 a second, from 2 s on 10': limited(100, [gets(500)], { fallsTo: { perSecond: 10, at: 2_000 } }),
	'3 processes with 333 gets each, 50 a second, Retry-After': limited(
		50,
		[0, 1, 2].map((process) => gets(333, { process })),
		{ retryAfter: true },
	),
	'1,000 gets, 50 a second by 503': limited(50, [gets(1_000)], { status: 503 }),
	'1,000 gets, 10 a second by 503': limited(10, [gets(1_000)], { status: 503 }),
	'1,000 creates, 50 a second by 503': limited(50, [creates(1_000)], { status: 503 }),
	'60 creates, 10 a second without a burst, by 503': limited(10, [creates(60, { maxConcurrency: 25 })], {
		status: 503,
		burst: 1,
		latency: 5,
	}),
	'100 gets, 10 a second without a burst, by 503': limited(10, [gets(100)], { status: 503, burst: 1, latency: 5 }),
	'100 gets, 10 a second without a burst': limited(10, [gets(100)], { burst: 1, latency: 5 }),
	'600 gets, 30 at once by 503': thirtyAtOnce(503, [gets(600)]),
	'1,000 creates, 30 at once by 503': thirtyAtOnce(503, [creates(1_000)]),
	'1,000 gets, 30 at once by 429': thirtyAtOnce(429, [gets(1_000)]),

	'300 creates, every second request 429': randomly([['429', { every: 2 }]], { runs: [creates(300)] }),
	'300 gets, every second request 429': randomly([['429', { every: 2 }]], { runs: [gets(300)] }),
	'300 creates, 10 % 429 at random': randomly([['429', { share: 0.1 }]], { runs: [creates(300)] }),
	'2,000 gets, storm, 10 ms': randomly(STORM, { latency: 10, runs: [gets(1_000), gets(1_000)] }),
	'1,000 creates, storm, 10 ms': randomly(STORM, { latency: 10, runs: [creates(1_000, { maxConcurrency: 25 })] }),

	'1,000 creates, away for 1 s': away(1_000, [creates(1_000)]),
	'1,000 creates, Max Concurrency 25, away for 1 s': away(1_000, [creates(1_000, { maxConcurrency: 25 })]),
	'1,000 creates, away for 20 s': away(20_000, [creates(1_000)]),
	'1,000 gets, away for 20 s': away(20_000, [gets(1_000)]),
	'300 creates, half away for 60 s': away(60_000, [creates(300)], 'half'),
	'300 gets, half away for 60 s': away(60_000, [gets(300)], 'half'),
	'300 creates and gets, creates away for 60 s': away(60_000, [creates(300), gets(300)], 'creates'),
	'50 gets, Max Wait 10 s, away for 6 s': away(6_000, [gets(50, { maxWait: 10, maxConcurrency: 5 })]),
	'50 gets, Max Wait 10 s, away for 8 s': away(8_000, [gets(50, { maxWait: 10, maxConcurrency: 5 })]),
	'50 gets, Max Wait 3 s, away for 2 s': away(2_000, [gets(50, { maxWait: 3, maxConcurrency: 5 })]),
	'50 gets, Max Wait 3 s, away for 2.7 s': away(2_700, [gets(50, { maxWait: 3, maxConcurrency: 5 })]),

	'1,000 gets, ten always 504': failing('504, done', FIRST_TEN, [gets(1_000)]),
	'1,000 gets, three always 503': failing('503', [3, 7, 9], [gets(1_000)]),
	'1,000 creates, three 504': failing('504, done', [3, 6, 9], [creates(1_000)]),
	'1,000 creates, ten 504 in a row': failing('504, done', FIRST_TEN, [creates(1_000)]),
	'10 gets, the last always 504': failing('504, done', [9], [gets(10)]),
	'200 gets, the last always 503': failing('503', [199], [gets(200)]),
	'10 gets, Max Concurrency 1, the fourth always 504': failing('504, done', [3], [gets(10, { maxConcurrency: 1 })]),
	'200 gets, two always 429': failing('429', [3, 7], [gets(200)]),
	'1,000 gets, eight hang': serviceWith({ faults: hanging(40), runs: [gets(1_000)] } as Partial<World>),
	'40 and 100 gets, 32 hang': serviceWith({
		faults: hanging(0, 8, 16, 24),
		runs: [gets(40), gets(100, { startAt: 1_000 })],
	} as Partial<World>),
	'10 and 1,000 gets, eight of the ten hang': serviceWith({
		faults: hanging(0),
		runs: [gets(10), gets(1_000, { startAt: 1_000 })],
	} as Partial<World>),
};

/** Of which the figures are means: whom chance strikes differs. */
const SEEDS = [7, 8, 9];

/** Lets one of `SERVICES` happen, with three seeds. The same on every machine. */
export async function figuresOf(world: World): Promise<Figures> {
	const figures: Figures[] = [];
	for (const seed of SEEDS) figures.push(await figuresOfOne({ ...world, seed }));
	const meanOf = (name: keyof Figures) => figures.reduce((sum, each) => sum + each[name], 0) / SEEDS.length;
	return {
		ms: Math.round(meanOf('ms')),
		failedPercent: Math.round(10 * meanOf('failedPercent')) / 10,
		errors: Math.round(meanOf('errors')),
		unknown: Math.round(meanOf('unknown')),
	};
}

async function figuresOfOne(world: World): Promise<Figures> {
	const { attempts, sends } = await happen(world);
	const hasFailed = ({ kind, status = 0 }: (typeof sends)[number]) =>
		kind === 'limit' || kind === 'outage' || status === 429 || status >= 500;
	const errors = attempts.flatMap(({ output = [] }) =>
		output.flatMap(({ json }) => (json.error ? [json.error as { outcome?: string }] : [])),
	);
	return {
		ms: Math.max(...attempts.map(({ endedAt = Infinity }) => endedAt)),
		failedPercent: (100 * sends.filter(hasFailed).length) / sends.length,
		errors: errors.length,
		unknown: errors.filter(({ outcome }) => outcome === 'unknown').length,
	};
}

/** What is worse than accepted by more than a tenth, and by more than chance; '' for nothing. */
export function worsened(now: Figures, accepted: Figures | undefined): string {
	if (!accepted) return 'no figures were accepted';
	const slack: Figures = { ms: 100, failedPercent: 0.5, errors: 1, unknown: 1 };
	return (Object.keys(slack) as Array<keyof Figures>)
		.filter((name) => now[name] > 1.1 * accepted[name] + slack[name])
		.map((name) => `${name} ${accepted[name]} → ${now[name]}`)
		.join(', ');
}
