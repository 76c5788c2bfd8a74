import { readFileSync } from 'node:fs';
import path from 'node:path';
import { INVARIANT_NAMES, checkWorld, simulate, findTooRare } from '../../simulation/simulate';
import { RUN } from '../../simulation/throughput';

/** `npm run mutation` simulates fewer. */
const WORLDS = Number(process.env.SIMULATION_WORLDS ?? 500);

/** The same worlds each time; every night `npm run simulate` has those of the day. */
const SEED = Number(process.env.SIMULATION_SEED ?? 1);

const promises = [
	...readFileSync(path.join(__dirname, '..', '..', 'docs', 'promises.md'), 'utf8').matchAll(/^- (\S.*) \(`(\w+)`\)$/gm),
].map(([, sentence, name]) => ({
	name: name as (typeof INVARIANT_NAMES)[number],
	sentence: sentence!.replace(/\*\*|\]\(.*?\)|\[/g, ''),
}));

let simulated: ReturnType<typeof simulate> | undefined;

/** Of the first test that asks for it. */
const simulation = async () => await (simulated ??= simulate(WORLDS, SEED));

// 20 seconds of computing, which have taken more than 5 minutes on a busy machine. A world that never ends is ended by END_MS.
const TIMEOUT = process.env.SIMULATION_WORLDS ? undefined : 1_800_000;

describe(`in ${WORLDS} worlds (seed ${SEED})`, () => {
	test(
		'the node keeps what docs/promises.md promises, each put to the test',
		async () => {
			const { failure, figures } = await simulation();
			if (failure)
				throw new Error(
					`${failure.problems.join('\n')}\nTo see it: npm run simulate -- --world '${JSON.stringify(failure.world)}'`,
				);
			// Of 500 worlds a tenth as often is enough: in some of them a fault strikes once.
			if (WORLDS >= 500) expect(findTooRare({ ...figures, worlds: WORLDS / 10 })).toEqual([]);
		},
		TIMEOUT,
	);

	// Which of them, where the test above fails.
	test.each(promises)(
		'$sentence',
		async ({ name }) => {
			expect(`broken in ${(await simulation()).figures.broken[name] ?? 0} worlds`).toBe('broken in 0 worlds');
		},
		TIMEOUT,
	);
});

/** So rare that a million worlds had them once. */
test.each<[string, string, object, object[]]>([
	[
		'tokens are refused just before an outage of more than Max Wait',
		'gets 401',
		{ tokens: { saysLifetime: false, newestOnly: true }, outage: { at: 8, ms: 106_000, by: '502', of: 'all' } },
		[
			{ operation: 'create', items: 30, maxWait: 3 },
			{ process: 1, startAt: 2, operation: 'create', items: 1 },
		],
	],
	[
		'more items than may be in flight fail, each for its own fault, before others are sent',
		'504, done',
		{
			faults: [
				{ kind: '503', of: 'item', from: 31, times: 1 },
				{ kind: '504, done', of: 'item', from: 0, times: 1 },
			],
		},
		[{ operation: 'premium', items: 3, maxConcurrency: 1 }],
	],
	[
		'an item fails alone, in an outage that it made itself, and after it',
		'504, done',
		{
			seed: 29,
			latency: 24,
			tokens: { saysLifetime: false, validAfterMs: 214 },
			faults: [{ kind: '504, done', of: 'item', from: 59, times: 1 }],
		},
		[{ operation: 'premium', items: 11, continues: false }],
	],
	[
		'customers are created minutes apart in a long outage',
		'502',
		{ latency: 20, outage: { at: 100, ms: 700_000, by: '502', of: 'all' } },
		[0, 95, 400_000].map((startAt) => ({ startAt, operation: 'create', items: startAt === 0 ? 1 : 25 })),
	],
	[
		'logins get another status than creates in an outage',
		'login gets 503',
		{ seed: 7, latency: 50, outage: { at: 200, ms: 110_000, by: '502', loginsBy: '503', of: 'all' } },
		[{ operation: 'create', items: 100, maxConcurrency: 5 }],
	],
	[
		'a page in place of an answer shows nothing about a token that is too new',
		'gets 404',
		{
			tokens: { saysLifetime: false, validAfterMs: 204 },
			faults: [{ kind: '404 with a page', of: 'item', from: 32, times: 1 }],
		},
		[
			{ operation: 'create', items: 3, maxConcurrency: 1 },
			{ operation: 'create', items: 1, continues: false },
		],
	],
])('the node keeps what it promises where %s', async (_where, happened, world, runs) => {
	const usual = { seed: 0, latency: 2, tokens: { saysLifetime: false }, faults: [] };
	const { problems, trace } = await checkWorld(
		{ ...usual, ...world, runs: runs.map((run) => ({ ...RUN, ...run })) } as never,
		INVARIANT_NAMES,
	);
	expect(trace.join('\n')).toContain(happened);
	expect(problems).toEqual([]);
});

test('each promise has a check, and each check a promise', () => {
	const checks = promises.map(({ name }) => name);
	expect(checks.sort()).toEqual([...INVARIANT_NAMES].sort());
	expect(checks.length).toBeLessThanOrEqual(30);
});
