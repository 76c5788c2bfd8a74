import fc from 'fast-check';

import { FAULTS, OUTAGES } from './faults';

/** One of these; a smaller world has the first. */
const oneOf = <Value>(...of: Array<[weight: number, arbitrary: fc.Arbitrary<Value>]>) =>
	fc.oneof({ withCrossShrink: true }, ...of.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Mostly nothing: one in so many has it. */
const optionalOneIn = <Value>(frequency: number, arbitrary: fc.Arbitrary<Value>) =>
	oneOf<Value | undefined>([frequency - 1, fc.constant(undefined)], [1, arbitrary]);

const integerBetween = (min: number, max: number) => fc.integer({ min, max });

/** An execution of n8n, with one node run. Times are in milliseconds, here and below. */
const arbitraryRun = fc.record({
	/** In which process of n8n, and with which key: outages and limits are those of the first. */
	process: fc.nat(2),
	key: fc.constantFrom(0, 0, 0, 0, 1),
	startAt: oneOf([14, fc.nat(2_000)], [1, fc.nat(600_000)]),
	cancelAt: optionalOneIn(8, fc.nat(5_000)),
	operation: fc.constantFrom('create', 'create', 'premium', 'get'),
	items: oneOf([9, integerBetween(1, 12)], [2, integerBetween(30, 80)]),
	/** Of each item's premium. */
	countries: fc.constantFrom(1, 1, 2),
	maxConcurrency: oneOf([1, fc.constant(200)], [1, integerBetween(1, 5)]),
	maxRetries: fc.constantFrom(3, 0, 1, 2),
	/** In seconds. */
	maxWait: fc.constantFrom(120, 120, 3),
	retryOnFail: fc.boolean(),
	continues: fc.boolean(),
	/** Where a person uses n8n's Retry once it has failed. */
	retriedIn: optionalOneIn(3, fc.nat(2)),
	dryRun: optionalOneIn(15, fc.constant(true)),
});

/** What happens to requests that are sent one after the other, or to all of one item. */
const arbitraryFaults = (of: Array<'requests' | 'logins' | 'item' | 'trigger'>, maxLength: number) =>
	fc.array(
		fc.record({
			kind: fc.constantFrom(...Object.keys(FAULTS)),
			of: fc.constantFrom(...of),
			from: fc.nat(60),
			times: oneOf([5, integerBetween(1, 6)], [1, fc.constant(200)]),
		}),
		{ maxLength },
	);

/** Several items that always get the same, as from a server that only they are on. */
const arbitraryFailingItems = fc
	.record({ kind: fc.constantFrom(...Object.keys(FAULTS)), items: fc.array(fc.nat(9), { minLength: 2, maxLength: 6 }) })
	.map(({ kind, items }) => items.map((from) => ({ kind, of: 'item' as const, from, times: 1 })));

/**
 * A workflow with the trigger, what happens to its gateways, when it is polled by hand, and when it is saved, or its
 * process dies and is started again.
 */
const arbitraryTriggerWithin = (ms: number, ...everyMs: number[]) =>
	fc.record({
		process: fc.nat(2),
		everyMs: fc.constantFrom(...everyMs),
		gateways: integerBetween(1, 4),
		changes: fc.array(fc.record({ at: fc.nat(ms), gateway: fc.nat(3), removes: fc.boolean() }), { maxLength: 5 }),
		/** When a read takes longer than the time between two polls. */
		slow: fc.array(fc.nat(ms), { maxLength: 3 }),
		byHand: fc.array(fc.nat(ms), { maxLength: 2 }),
		restarts: fc.array(fc.record({ at: fc.nat(ms), dies: fc.boolean() }), { maxLength: 4 }),
	});

/** In half of the worlds, all that while the first polls are under way. */
const arbitraryTrigger = oneOf(
	[1, arbitraryTriggerWithin(150_000, 20_000, 60_000, 5_000)],
	[1, arbitraryTriggerWithin(30_000, 5_000)],
);

/** A world: who asks what of the service, and what the service does. */
export const arbitraryWorld = fc.record({
	seed: fc.nat(),
	/** Of a response: half of it to three halves. */
	latency: oneOf([1, integerBetween(2, 60)], [1, integerBetween(2, 800)]),
	tokens: fc.record({
		lifetimeMs: optionalOneIn(3, integerBetween(6_000, 60_000)),
		/** Whether the login says how long a token is accepted. */
		saysLifetime: fc.boolean(),
		/** Whether a token ends with the next login. */
		newestOnly: optionalOneIn(4, fc.constant(true)),
		/** How long after its login a token is not accepted yet. */
		validAfterMs: optionalOneIn(6, fc.nat(800)),
	}),
	/** By which status requests beyond it are rejected, and whether that says when to come back. */
	limit: optionalOneIn(
		4,
		fc.record({
			perSecond: fc.constantFrom(5, 10, 50),
			retryAfter: fc.boolean(),
			status: oneOf<429 | 503>([8, fc.constant(429)], [1, fc.constant(503)]),
		}),
	),
	outage: optionalOneIn(
		3,
		fc.record({
			at: fc.nat(4_000),
			ms: oneOf(
				[4, fc.nat(3_000)],
				[4, fc.nat(114_000)],
				[4, integerBetween(106_000, 114_000)],
				[1, integerBetween(300_000, 700_000)],
			),
			/** Another one follows. */
			again: optionalOneIn(4, fc.record({ afterMs: fc.nat(1_000), ms: fc.nat(40_000) })),
			by: fc.constantFrom(...OUTAGES),
			/** Of logins, if it is another one. */
			loginsBy: optionalOneIn(4, fc.constantFrom(...OUTAGES)),
			/** Which requests meet it; of two servers, one may be away. `requests`: all but logins. */
			of: oneOf<'all' | 'half' | 'requests' | 'creates'>(
				[6, fc.constant('all')],
				[1, fc.constant('half')],
				[1, fc.constant('requests')],
				[1, fc.constant('creates')],
			),
		}),
	),
	faults: oneOf(
		[5, arbitraryFaults(['requests'], 0)],
		[2, arbitraryFaults(['item'], 2)],
		[2, arbitraryFailingItems],
		[4, arbitraryFaults(['requests', 'requests', 'requests', 'requests', 'logins', 'item', 'trigger'], 6)],
	),
	runs: fc.array(arbitraryRun, { minLength: 1, maxLength: 3 }),
	trigger: optionalOneIn(5, arbitraryTrigger),
});

type RandomWorld = typeof arbitraryWorld extends fc.Arbitrary<infer Made> ? Made : never;

/** Also what no random world has: a service of the throughput table fails in a regular way. */
export interface World extends Omit<RandomWorld, 'limit' | 'faults' | 'runs'> {
	/**
	 * Requests beyond `atOnce` in flight are rejected, if it is given, in place of those beyond `perSecond`; `burst` may come at once. With
	 * `timeoutMs`, they wait for their turn, and a proxy answers by 504 after so long, though they are done.
	 */
	limit?: Omit<NonNullable<RandomWorld['limit']>, 'perSecond'> & {
		perSecond: number;
		atOnce?: number;
		timeoutMs?: number;
		burst?: number;
		fallsTo?: { perSecond: number; at: number };
	};
	/** It strikes this item, every second request, or a share of them at random, where it says so. */
	faults: Array<RandomWorld['faults'][number] & { item?: number; every?: number; share?: number }>;
	runs: Run[];
}

export type Run = Omit<RandomWorld['runs'][number], 'maxWait'> & { maxWait: number };

/** How long it's away, from its first outage to the end of the other one. */
export const totalMs = ({ ms, again }: NonNullable<World['outage']>): number =>
	ms + (again ? again.afterMs + again.ms : 0);

export function isAway(outage: NonNullable<World['outage']>, now: number): boolean {
	const { at, ms, again } = outage;
	const isBack = again && now >= at + ms && now < at + ms + again.afterMs;
	return now >= at && now < at + totalMs(outage) && !isBack;
}

/** The number of an item: its customer's, its trunk's and its gateway's. */
export const numberOf = (run: number, item: number): number => (run + 1) * 1_000 + item;

/** What the requests of an item are known by. */
export const idsOf = ({ operation, countries }: Run, run: number, item: number): string[] =>
	operation === 'premium'
		? ['IT', 'FR'].slice(0, countries).map((iso) => `${numberOf(run, item)}/${iso}`)
		: [String(numberOf(run, item))];

export const itemOf = (id: string): number => Number.parseInt(id, 10) % 1_000;
