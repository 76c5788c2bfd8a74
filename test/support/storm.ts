import type { FaultPlan, Sandbox } from '../../sandbox';
import { addCustomer, getGateway, numbered } from './operations';
import type { Result } from './executor/execute';
import { expectTrueReport, reportOf } from './executor/report';

/** A service at its worst: each request, the login included, may fail at random, and each token is gone after 300. */
export const STORM: FaultPlan = {
	seed: Number(process.env.STORM_SEED ?? 7),
	rules: [
		{ fault: 'latency', ms: 10 },
		{ fault: 'tokenExpires', afterRequests: 300 },
		{ fault: 'resetBefore', rate: 0.025 },
		{ fault: 'resetAfter', rate: 0.025 },
		{ fault: 'http', status: 503, rate: 0.05 },
		{ fault: 'http', status: 429, rate: 0.025, retryAfterAs: 'none' },
		{ fault: 'http', status: 429, rate: 0.025, retryAfterSeconds: 1 },
	],
};

/** Each run in it ends within so many seconds. */
export const STORM_WITHIN_S = 180;

export const READS = { items: numbered(2_000), parameters: getGateway('={{ $json.n % 12 + 1 }}') };

export const CREATES = { items: numbered(1_000), parameters: addCustomer('={{ "C" + $json.n }}') };

type Items = Pick<Result, 'output' | 'errors'>;

/** Asserts that each read got its gateway. */
export function expectAllRead(result: Items): void {
	expect(reportOf(result)).toMatchObject({ done: READS.items.length, messages: [] });
	const wrong = result.output.filter(
		({ json, pairedItem }) => json.id !== String(((pairedItem as { item: number }).item % 12) + 1),
	);
	expect(wrong).toEqual([]);
}

/** Asserts that no customer is there twice, and that each of the others is done or said to be unknown. */
export function expectAllSaid(result: Items, sandbox: Sandbox): void {
	expectTrueReport(result, sandbox);
	const { done, unknown, failed } = reportOf(result);
	expect({ failed, all: done + unknown }).toEqual({ failed: 0, all: CREATES.items.length });
}
