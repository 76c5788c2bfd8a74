import { time } from '../../nodes/VoiceAdmin/time';
import type { RequestKind } from '../../nodes/VoiceAdmin/transport/flow/fairQueue';
import { FlowController } from '../../nodes/VoiceAdmin/transport/flow/flowController';
import { type FailureDetails, Outage, type ServiceHealth } from '../../nodes/VoiceAdmin/transport/flow/outage';

let now: number;

beforeEach(() => {
	now = 100_000;
	jest.spyOn(time, 'now').mockImplementation(() => now);
	jest.spyOn(time, 'random').mockReturnValue(0);
});

/** A flow controller whose requests are sent and reported one by one, and the lines that it logs. */
class Flow extends FlowController {
	readonly logged: string[];

	constructor(private readonly inFlight = 25) {
		const logged: string[] = [];
		super((line) => logged.push(line));
		this.logged = logged;
	}

	/** Sends a request. @returns what reports its result */
	send(kind: RequestKind = 'repeatable', hasOftenFailed = false) {
		const sequenceNumber = this.recordSent(kind);
		return (health: ServiceHealth, details: FailureDetails = {}) =>
			this.record({ sequenceNumber, kind, hasOftenFailed }, health, details, this.inFlight);
	}

	/** Sends requests, and then reports the same of each. */
	report(count: number, health: ServiceHealth, details?: FailureDetails, kind?: RequestKind): this {
		for (const each of Array.from({ length: count }, () => this.send(kind))) each(health, details);
		return this;
	}
}

const TIMED_OUT = { status: 504 };
const OVERLOADED = { status: 503 };
const TOO_MANY = { status: 429 };

describe('the limit of requests in flight', () => {
	test.each<[string, number, (flow: Flow) => unknown]>([
		['falls once for requests that were in flight together', 12, (flow) => flow.report(3, 'unavailable', OVERLOADED)],
		[
			'falls again for one that was sent later',
			6,
			(flow) => flow.report(1, 'unavailable', OVERLOADED).report(1, 'unavailable', OVERLOADED),
		],
		['does not fall in an outage', 12, (flow) => flow.report(3, 'unavailable').report(3, 'unavailable')],
		[
			'stays where an outage was ended by a request that was in flight',
			25,
			(flow) => {
				const reports = Array.from({ length: 4 }, () => flow.send());
				for (const report of reports.slice(0, 3)) report('unavailable', TIMED_OUT);
				reports[3]!('healthy');
			},
		],
		['stays where a 429 has ended', 25, (flow) => flow.report(1, 'rateLimited', TOO_MANY).report(1, 'healthy')],
	])('%s', (_name, limit, happen) => {
		const flow = new Flow();
		happen(flow);
		expect(flow.limit).toBe(limit);
	});
});

test.each<[RequestKind, number, number]>([
	['repeatable', 4_999, 0],
	['repeatable', 5_000, 1],
	['create', 0, 3],
])(
	'requests that have often failed open no breaker soon after a response, but for creates: %s, %i ms after it',
	(kind, ms, failures) => {
		const flow = new Flow().report(1, 'healthy');
		now += ms;
		for (let n = 0; n < 3; n++) flow.send(kind, true)('unavailable', OVERLOADED);
		expect(flow.breaker.outage ?? { failures: 0 }).toMatchObject({ failures });
		// In an outage, they restart the wait as others do.
		flow.report(3, 'unavailable', OVERLOADED);
		const { lastSentBeforeWait } = flow.breaker.outage!;
		flow.send(kind, true)('unavailable', OVERLOADED);
		expect(flow.breaker.outage!.lastSentBeforeWait).toBeGreaterThan(lastSentBeforeWait);
	},
);

test('after an outage, the limit begins at one, beside requests that are still in flight from before', () => {
	const flow = new Flow(4);
	const hanging = Array.from({ length: 3 }, () => flow.send());
	flow.report(3, 'unavailable', TIMED_OUT).report(1, 'responded', { status: 500 });
	expect(flow.limit).toBe(1 + 3);
	// One of two that are sent then is the first round.
	flow.report(1, 'healthy');
	expect(flow.limit).toBe(2 + 3);
	for (const [index, report] of hanging.entries()) {
		report('inconclusive');
		expect(flow.limit).toBe(2 + 2 - index);
	}
});

describe('a pace', () => {
	test.each<[string, boolean, (flow: Flow) => unknown]>([
		['is not known at first', false, () => undefined],
		['begins with a 429', true, (flow) => flow.report(1, 'rateLimited', TOO_MANY)],
		['does not begin with an outage', false, (flow) => flow.report(1, 'unavailable', OVERLOADED, 'create')],
		[
			'begins with a 503 soon after an outage',
			true,
			(flow) =>
				flow
					.report(1, 'unavailable', OVERLOADED, 'create')
					.report(1, 'healthy')
					.report(1, 'unavailable', OVERLOADED, 'create'),
		],
		[
			'does not begin with a 504 soon after an outage',
			false,
			(flow) => flow.report(3, 'unavailable', TIMED_OUT).report(1, 'healthy').report(3, 'unavailable', TIMED_OUT),
		],
		[
			'begins where many are rejected while others are answered',
			true,
			(flow) => {
				for (let n = 0; n < 3; n++) flow.report(1, 'unavailable', OVERLOADED).report(1, 'healthy');
			},
		],
		[
			'does not begin where many get no response while others are answered',
			false,
			(flow) => {
				for (let n = 0; n < 3; n++) flow.report(1, 'unavailable').report(1, 'healthy');
			},
		],
	])('%s', (_name, isPaced, happen) => {
		const flow = new Flow();
		happen(flow);
		expect(flow.isPaced).toBe(isPaced);
	});
});

describe('creates that fail', () => {
	test('wait alone, and one is probed without a login once other requests are answered', () => {
		const flow = new Flow();
		flow.report(1, 'unavailable', TIMED_OUT, 'create');
		expect([flow.outageOf('repeatable')?.needsLogin, flow.outageOf('create')?.needsLogin]).toEqual([true, true]);
		flow.report(1, 'healthy');
		expect([flow.outageOf('repeatable'), flow.outageOf('create')?.needsLogin, flow.anyOutage?.needsLogin]).toEqual([
			undefined,
			false,
			false,
		]);
	});

	test('wait alone where a request that was sent later is answered', () => {
		const flow = new Flow();
		const create = flow.send('create');
		flow.report(1, 'healthy');
		create('unavailable', TIMED_OUT);
		expect([flow.outageOf('repeatable'), flow.outageOf('create')?.needsLogin, flow.delayMs]).toEqual([
			undefined,
			true,
			0,
		]);
		flow.report(1, 'healthy', {}, 'create');
		expect(flow.outageOf('create')).toBeUndefined();
	});

	test('wait for a login though a create that was in flight was carried out', () => {
		const flow = new Flow();
		const [inFlight, create] = [flow.send('create'), flow.send('create')];
		flow.report(1, 'healthy');
		create('unavailable', TIMED_OUT);
		inFlight('healthy');
		expect([flow.outageOf('repeatable'), flow.outageOf('create')?.needsLogin]).toEqual([undefined, true]);
	});
});

test.each<[string, string[], (flow: Flow) => unknown]>([
	[
		'an outage, its status, how long requests wait, and its end',
		[
			'limit of concurrent requests 25 → 12',
			'service is unavailable (503); requests wait 500 ms',
			'service responds again after 700 ms',
		],
		(flow) => {
			flow.report(1, 'unavailable', OVERLOADED, 'create');
			now += 700;
			flow.report(1, 'healthy');
		},
	],
	[
		'an outage without a response',
		['limit of concurrent requests 25 → 12', 'service is unavailable (no response); requests wait 500 ms'],
		(flow) => flow.report(3, 'unavailable'),
	],
	[
		'a 429, and the pace after it',
		[
			'service asks to wait; requests wait 7000 ms',
			'service responds again after 7000 ms; at most 8.0 requests a second',
		],
		(flow) => {
			flow.report(1, 'rateLimited', { ...TOO_MANY, retryAfterMs: 7_000 });
			now += 7_000;
			flow.report(1, 'healthy');
		},
	],
	[
		'that creates wait, where a request that was sent later is answered',
		['service is unavailable (504); creates wait 500 ms'],
		(flow) => {
			const create = flow.send('create');
			flow.report(1, 'healthy');
			create('unavailable', TIMED_OUT);
		},
	],
	[
		'nothing of one failure among many successes, which says something of its item',
		[],
		(flow) => flow.report(50, 'healthy').report(1, 'unavailable', OVERLOADED),
	],
	['nothing of failures after which nobody waits', [], (flow) => flow.report(2, 'unavailable', TIMED_OUT)],
])('the log has %s', (_what, lines, happen) => {
	const flow = new Flow();
	happen(flow);
	expect(flow.logged).toEqual(lines);
});

describe('an outage', () => {
	/** Request 1 has failed, and requests up to 5 were sent. */
	const outageBy = (kind: RequestKind = 'repeatable', cause: 'unavailable' | 'rateLimited' = 'unavailable') => {
		const outage = new Outage(cause, now);
		outage.recordFailure({ sequenceNumber: 1, kind, cause }, 5);
		return outage;
	};

	test('is one of too many requests as soon as a request in flight gets a 429, and stays so for what fails of them otherwise', () => {
		const outage = outageBy();
		expect(outage.recordFailure({ sequenceNumber: 2, kind: 'repeatable', cause: 'rateLimited' }, 5)).toBe(false);
		expect(outage.cause).toBe('rateLimited');
		outage.recordFailure({ sequenceNumber: 3, kind: 'repeatable', cause: 'unavailable' }, 5);
		expect(outage.cause).toBe('rateLimited');
		expect(outage.recordFailure({ sequenceNumber: 6, kind: 'repeatable', cause: 'unavailable' }, 6)).toBe(true);
		expect(outage.cause).toBe('unavailable');
	});

	test.each<[string, boolean, () => Outage]>([
		['after a failure', true, outageBy],
		['after a create, the first to fail', true, () => outageBy('create')],
		['after a 429', false, () => outageBy('repeatable', 'rateLimited')],
		[
			'after a 429 of a request that was in flight',
			false,
			() => {
				const outage = outageBy();
				outage.recordFailure({ sequenceNumber: 2, kind: 'repeatable', cause: 'rateLimited' }, 5);
				return outage;
			},
		],
		[
			'after another failure of a request that was in flight',
			true,
			() => {
				const outage = outageBy();
				outage.recordFailure({ sequenceNumber: 2, kind: 'repeatable', cause: 'unavailable' }, 5);
				return outage;
			},
		],
		[
			'while a probe is in flight',
			false,
			() => {
				const outage = outageBy();
				outage.recordProbe('repeatable');
				now += 3_000;
				return outage;
			},
		],
	])('may be probed early, %s: %s', (_when, isEarly, happen) => {
		const outage = happen();
		expect(outage.probeDueInMs).toBeGreaterThan(0);
		outage.makeProbeDueEarly();
		expect(outage.probeDueInMs === 0).toBe(isEarly);
	});
});
