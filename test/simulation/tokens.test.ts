import { simulateWorld } from '../../simulation/simulateWorld';
import { LOGIN, type Service } from '../../simulation/service';
import { itemOf, type Run, type World } from '../../simulation/world';

const RUN = {
	process: 0,
	key: 0,
	startAt: 0,
	operation: 'get',
	countries: 1,
	maxConcurrency: 25,
	maxRetries: 3,
	maxWait: 120,
	retryOnFail: false,
	continues: true,
};

/** What became of runs with tokens of a kind, in virtual time. */
async function figuresOf(
	latency: number,
	tokens: Partial<World['tokens']>,
	runs: Array<Partial<Run>>,
	refuses?: Service['isRefused'],
) {
	const world = { seed: latency, latency, tokens, faults: [], runs: runs.map((of) => ({ ...RUN, ...of })) };
	const { sentRequests, attempts, doneCounts, simulatedMs } = await simulateWorld(world as unknown as World, refuses);
	const logins = sentRequests.filter(({ run }) => run === LOGIN).length;
	/** Of each run, the errors of its items. */
	const errors = attempts.map(({ output }) =>
		output!.flatMap(({ json: { error } }) => (error ? [error as Record<string, string>] : [])),
	);
	return {
		logins,
		requests: sentRequests.length - logins,
		seconds: simulatedMs / 1_000,
		errors,
		mostOften: Math.max(0, ...doneCounts.values()),
	};
}

const LATENCIES = [10, 100, 400];

describe.each(['get', 'create'] as const)('always 401 for a %s', (operation) => {
	test.each(LATENCIES)('of eight items in forty, at %i ms: they fail alone, soon, and cost little', async (latency) => {
		const refuses: Service['isRefused'] = ({ id }) => itemOf(id) % 5 === 1;
		const { errors, logins, requests, seconds } = await figuresOf(latency, {}, [{ operation, items: 40 }], refuses);
		expect(errors[0]!.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual(Array(8).fill('unauthorized not_done'));
		expect(logins).toBeLessThanOrEqual(3);
		expect(requests).toBeLessThanOrEqual(75);
		expect(seconds).toBeLessThan(9);
	});

	test.each(LATENCIES)(
		'of all items, at %i ms, as with a wrong header: they fail soon, and cost little',
		async (latency) => {
			for (const [items, maxConcurrency] of [
				[1, 25],
				[100, 200],
			] as const) {
				const runs = [{ operation, items, maxConcurrency }];
				const { errors, logins, requests, seconds } = await figuresOf(latency, {}, runs, () => true);
				expect([errors[0]!.length, logins]).toEqual([items, 2]);
				expect(requests).toBeLessThanOrEqual(260);
				expect(seconds).toBeLessThan(9);
			}
		},
	);
});

test.each(LATENCIES)(
	'a token that is accepted two seconds after its login, at %i ms, costs one login',
	async (latency) => {
		for (const operation of ['get', 'create'] as const) {
			const tokens = { validAfterMs: 2_000 };
			const { errors, logins, seconds } = await figuresOf(latency, tokens, [{ operation, items: 100 }]);
			expect([errors, logins]).toEqual([[[]], 1]);
			expect(seconds).toBeLessThan(6);
		}
	},
);

/** Which only some services do: docs/undocumented-api.md says what it may cost. */
test.each([10, 300])(
	'two processes whose service honors only the newest token, at %i ms, have 38 of 40 runs whole, and create nothing twice',
	async (latency) => {
		for (const everyMs of [0, 50]) {
			const runs = Array.from({ length: 40 }, (_, nth) => ({
				operation: 'create' as const,
				items: 50,
				process: nth % 2,
				startAt: nth * everyMs,
			}));
			const { errors, mostOften } = await figuresOf(latency, { newestOnly: true }, runs);
			expect(errors.filter(({ length }) => length === 0).length).toBeGreaterThanOrEqual(38);
			for (const { code, outcome, description } of errors.flat()) {
				expect([code, outcome]).toEqual(['unauthorized', 'not_done']);
				expect(description).toContain("may honor only a key's newest token");
			}
			expect(mostOften).toBe(1);
		}
	},
);
