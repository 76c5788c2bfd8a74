import fc from 'fast-check';

import { FAULTS, type FaultName, OUTAGES } from './faults';

/** What an execution of n8n does. */
export interface RunOfWorld {
	/** In which process of n8n. */
	process: number;
	/** When it starts, and when its user cancels it, in milliseconds. */
	startAt: number;
	cancelAt?: number;
	operation: 'create' | 'premium' | 'get';
	items: number;
	/** For each item, of a premium. */
	countries: 1 | 2;
	maxConcurrency: number;
	maxRetries: number;
	retryOnFail: boolean;
	continues: boolean;
	batch?: { batchSize: number; batchInterval: number };
	dryRun?: true;
}

/** A trigger that watches gateways of the service. */
export interface TriggerOfWorld {
	process: number;
	everyMs: number;
	gateways: number;
	/** When something happens to a gateway: a field changes, or it is removed or added. */
	changes: Array<{ at: number; gateway: number; removes: boolean }>;
	/** When the process dies and is started again. */
	crashes: number[];
}

/** Mostly nothing: one in so many has it. */
const some = <Value>(arbitrary: fc.Arbitrary<Value>, oneIn: number) =>
	fc.oneof({ withCrossShrink: true }, { weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** A world: who asks what of the service, and what the service does. Made, and made smaller, by fast-check. */
const run: fc.Arbitrary<RunOfWorld> = fc.record({
	process: fc.nat(2),
	startAt: fc.nat(2_000),
	cancelAt: some(fc.nat(5_000), 8),
	operation: fc.constantFrom('create', 'create', 'premium', 'get'),
	items: fc.oneof({ withCrossShrink: true }, { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) }, { weight: 3, arbitrary: fc.integer({ min: 30, max: 90 }) }),
	countries: fc.constantFrom(1, 1, 2),
	maxConcurrency: fc.oneof({ withCrossShrink: true }, fc.constant(200), fc.integer({ min: 1, max: 5 })),
	maxRetries: fc.constantFrom(3, 0, 1, 2),
	retryOnFail: fc.boolean(),
	continues: fc.boolean(),
	batch: some(fc.record({ batchSize: fc.integer({ min: 1, max: 20 }), batchInterval: fc.constantFrom(100, 1_000) }), 8),
	dryRun: some(fc.constant(true as const), 15),
});

const LASTING = { weight: 1, arbitrary: fc.constant(200) };

/** Faults of requests one after the other as they are sent, or, for one item, of all of them. */
const fault = fc.record({
	kind: fc.constantFrom(...(Object.keys(FAULTS) as FaultName[])),
	from: fc.nat(60),
	times: fc.oneof({ withCrossShrink: true }, { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) }, LASTING),
	of: fc.constantFrom('requests', 'requests', 'requests', 'requests', 'logins', 'item'),
});

const trigger: fc.Arbitrary<TriggerOfWorld> = fc.record({
	process: fc.nat(2),
	everyMs: fc.constantFrom(10_000, 60_000),
	gateways: fc.integer({ min: 1, max: 4 }),
	changes: fc.array(fc.record({ at: fc.nat(300_000), gateway: fc.nat(3), removes: fc.boolean() }), { maxLength: 5 }),
	crashes: fc.array(fc.nat(300_000), { maxLength: 2 }),
});

export const worlds = fc.record({
	seed: fc.nat(),
	/** Of a response, in milliseconds: half of it to three halves. */
	latency: fc.oneof({ withCrossShrink: true }, fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 800 })),
	tokens: fc.record({
		/** How long a token is accepted, and whether the login says so. */
		lifetimeMs: some(fc.integer({ min: 6_000, max: 60_000 }), 3),
		saysLifetime: fc.boolean(),
		/** Whether a token ends with the next login. */
		newestOnly: fc.constantFrom(false, false, false, true),
		/** How long after its login a token is not accepted yet. */
		validAfterMs: some(fc.nat(800), 6),
	}),
	/** Requests a second, and whether its 429 says when to come back. */
	limit: some(fc.record({ perSecond: fc.constantFrom(5, 10, 50), retryAfter: fc.boolean() }), 6),
	outages: fc.array(fc.record({ at: fc.nat(4_000), ms: fc.oneof({ withCrossShrink: true }, fc.nat(3_000), fc.nat(90_000)), by: fc.constantFrom(...OUTAGES) }), { maxLength: 1 }),
	faults: fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: fc.array(fault, { maxLength: 0 }) }, { weight: 2, arbitrary: fc.array(fault, { minLength: 1, maxLength: 6 }) }),
	runs: fc.array(run, { minLength: 1, maxLength: 3 }),
	trigger: some(trigger, 6),
});

export type World = typeof worlds extends fc.Arbitrary<infer Made> ? Made : never;
