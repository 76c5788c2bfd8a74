import type { FaultPlan } from '../../sandbox';
import { NODE, scenario } from '../support/n8n/scenario.mts';
import { addCustomer, getGateway, numbered } from '../support/operations';
import type { Result } from '../support/executor/execute';
import { expectTrueReport, reportOf } from '../support/executor/report';

type Ran = Parameters<Parameters<typeof scenario>[2]>[0];

/** A service at its worst: each request, the login included, may fail at random, and each token is gone after 300. */
const STORM: FaultPlan = {
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

const [READS, CREATES] = [600, 300];

const settings = { onError: 'continueRegularOutput' } as const;

function itemsOf({ runData }: Ran): Pick<Result, 'output' | 'errors'> {
	const [run] = runData[NODE] as unknown as [{ data: { main: Array<Result['output']> } }];
	const [output = [], errors = []] = run.data.main;
	return { output, errors };
}

// How long it takes is up to chance, a minute or three: the table of `npm run simulate -- --throughput` has the mean.
scenario(
	`${READS} reads of a service in a storm all get their gateway`,
	{ items: numbered(READS), parameters: getGateway('={{ $json.n % 12 + 1 }}'), settings, faults: STORM },
	(ran) => {
		const result = itemsOf(ran);
		expect(reportOf(result)).toMatchObject({ done: READS, messages: [] });
		const wrong = result.output.filter(
			({ json, pairedItem }) => json.id !== String(((pairedItem as { item: number }).item % 12) + 1),
		);
		expect(wrong).toEqual([]);
	},
);

scenario(
	`${CREATES} creates of a service in a storm: none twice, each doubt said`,
	{ items: numbered(CREATES), parameters: addCustomer('={{ "C" + $json.n }}'), settings, faults: STORM },
	(ran) => {
		const result = itemsOf(ran);
		expectTrueReport(result, ran.sandbox);
		const { done, unknown, failed } = reportOf(result);
		expect({ failed, all: done + unknown }).toEqual({ failed: 0, all: CREATES });
	},
);
