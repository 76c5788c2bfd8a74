import type { FaultRule } from '../../../sandbox';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	expectTrueReport,
	numbered,
	reportOf,
	withSandbox,
} from '../../support/executor';

const CREATE = '/v1/customers/add';
const TOO_MANY = { fault: 'http', status: 429, retryAfterAs: 'none', path: CREATE } as const;

/** A run that takes longer is canceled. */
const CANCELED_AFTER_MS = 90_000;

/** Creates 300 customers, all of whom are done in the end. @returns the seconds that it took */
async function secondsOf(rules: FaultRule[]): Promise<number> {
	let seconds = NaN;
	await withSandbox(rules, async (sandbox) => {
		const startedAt = performance.now();
		const result = await execute({
			items: numbered(300),
			parameters: addCustomer('={{ "C" + $json.n }}'),
			credential: credentialFor(sandbox.url),
			settings: CONTINUE,
			onStart: (cancel) => void setTimeout(cancel, CANCELED_AFTER_MS).unref(),
		});
		seconds = (performance.now() - startedAt) / 1000;
		expect(sandbox.state().customers.length).toBe(300);
		expect(reportOf(result)).toMatchObject({ done: 300, messages: [] });
		expectTrueReport(result, sandbox);
	});
	return seconds;
}

test.concurrent('every second request gets a 429: 300 customers are created within a minute', async () => {
	expect(
		await secondsOf([
			{ fault: 'latency', ms: 20 },
			{ ...TOO_MANY, every: 2 },
		]),
	).toBeLessThan(60);
});

test.concurrent('ten in a hundred requests, at random, get a 429: 300 creates take at most half longer', async () => {
	// Twelve rounds of 25 in flight.
	const latency: FaultRule = { fault: 'latency', ms: 800 };
	const [without, withLimit] = await Promise.all([
		secondsOf([latency]),
		secondsOf([latency, { ...TOO_MANY, rate: 0.1 }]),
	]);
	expect(withLimit).toBeLessThanOrEqual(1.5 * without);
});
