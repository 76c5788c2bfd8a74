import { NODE, scenario } from '../support/n8n/scenario.mts';
import type { Result } from '../support/executor/execute';
import { CREATES, expectAllRead, expectAllSaid, READS, STORM, STORM_WITHIN_S } from '../support/storm';

// With the executor alone, which is faster to start: long/storm.
type Ran = Parameters<Parameters<typeof scenario>[2]>[0];

/** The items of the run, which has ended in time. */
function itemsOf({ runData }: Ran): Pick<Result, 'output' | 'errors'> {
	const [run] = runData[NODE] as unknown as [{ executionTime: number; data: { main: Array<Result['output']> } }];
	expect(run.executionTime / 1000).toBeLessThan(STORM_WITHIN_S);
	const [output = [], errors = []] = run.data.main;
	return { output, errors };
}

const settings = { onError: 'continueRegularOutput' } as const;

scenario(
	'2,000 reads of a service in a storm all get their gateway, within three minutes',
	{ ...READS, settings, faults: STORM },
	(ran) => expectAllRead(itemsOf(ran)),
);

scenario(
	'1,000 creates of a service in a storm: none twice, each doubt said, within three minutes',
	{ ...CREATES, settings, faults: STORM },
	(ran) => expectAllSaid(itemsOf(ran), ran.sandbox),
);
