import { figure } from '../figures.mjs';
import { number, percent } from '../words.mjs';

/** What must hold for this package's node behind the limit; `ideal`: times the ideal time at most. */
const CROWDS = [
	{ scenario: 'crowd', id: 'voiceAdmin-5x400', says: '5 executions of 400 items at once', wasted: 0.03, ideal: 1.15 },
	{ scenario: 'crowd', id: 'voiceAdmin-20x100', says: '20 executions of 100 items at once', wasted: 0.03, ideal: 1.15 },
	{ scenario: 'crowd', id: 'voiceAdmin-100x20', says: '100 executions of 20 items at once', wasted: 0.03, ideal: 1.15 },
	{ scenario: 'crowd', id: 'voiceAdmin-1000x1', says: '1,000 executions of one item at once', wasted: 0.05 },
	{ scenario: 'crowd-postgres', id: 'voiceAdmin-1000x1', says: '1,000 executions of one item at once, in an n8n with PostgreSQL', wasted: 0.05 },
	{ scenario: 'workers', id: 'voiceAdmin-10x400', says: '10 executions of 400 items at once, on two workers', wasted: 0.1 },
];

const MEDIAN_MS = 400;
const WORST_MS = 2_000;

/** @type {import('../report/promises.mjs').Promised[]} */
export const CROWD_PROMISES = [
	...CROWDS.map(({ scenario, id, says, wasted, ideal = Infinity }) => ({
		says: `Behind that limit, ${says}: nothing lost, at most ${percent(wasted)} wasted${ideal < Infinity ? `, at most ${ideal} times the ideal time` : ''}`,
		check: ({ scenarios: { [scenario]: result } }) => {
			if (!result) return undefined;
			const lost = figure(result, id, 'lost').max;
			const rateLimited = figure(result, id, 'rateLimited').median;
			const times = figure(result, id, 'timesIdeal').median;
			const failed = figure(result, id, 'failedCalls').max;
			const ofThem = failed > 0 ? ` (n8n itself failed ${number(failed)} calls)` : '';
			return { holds: lost === 0 && rateLimited <= wasted && times <= ideal, figure: `${number(lost)} lost${ofThem}, ${percent(rateLimited)} wasted, ${number(times)} times` };
		},
	})),
	{
		says: `Behind that limit, single items beside bulk, once n8n has prepared it: answered after ${MEDIAN_MS / 1000} s at most (median) and ${WORST_MS / 1000} s (worst), none failed`,
		check: ({ scenarios: { 'beside-bulk': result } }) => {
			if (!result) return undefined;
			const { median } = figure(result, 'voiceAdmin', 'singleMedian');
			const worst = figure(result, 'voiceAdmin', 'singleWorst').max;
			const failed = figure(result, 'voiceAdmin', 'failedSingles').max;
			return { holds: median <= MEDIAN_MS && worst <= WORST_MS && failed === 0, figure: `${number(median)} ms, ${number(worst)} ms, ${number(failed)} failed` };
		},
	},
];
