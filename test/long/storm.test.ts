import { CONTINUE, type Execution, reportOf, type Result } from '../support/executor';
import { run, sandbox } from '../support/executor/sandboxOfEachTest';
import { CREATES, expectAllRead, expectAllSaid, READS, STORM, STORM_WITHIN_S } from '../support/storm';

// In a real n8n: e2e/storm.

/** Runs the node in the storm; cancels it when its time is over. */
async function runInStorm(execution: Pick<Execution, 'items' | 'parameters'>): Promise<Result> {
	sandbox.setFaults(STORM);
	const startedAt = performance.now();
	const result = await run({
		...execution,
		settings: CONTINUE,
		onStart: (cancel) => void setTimeout(cancel, STORM_WITHIN_S * 1000).unref(),
	});
	const { done, unknown, failed } = reportOf(result);
	const { customers, counters } = sandbox.state();
	const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
	const figures = { seconds, done, unknown, failed, customers: customers.length, ...counters };
	process.stderr.write(`${JSON.stringify(figures)}\n`);
	expect(seconds).toBeLessThan(STORM_WITHIN_S);
	return result;
}

test('2,000 reads of a service in a storm all get their gateway, within three minutes', async () => {
	expectAllRead(await runInStorm(READS));
});

test('1,000 creates of a service in a storm: none twice, each doubt said, within three minutes', async () => {
	expectAllSaid(await runInStorm(CREATES), sandbox);
});
