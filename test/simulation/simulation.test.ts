import { readFileSync } from 'node:fs';
import path from 'node:path';

import { NAMES, simulate, tooRare } from './simulate';

const WORLDS = 500;

/** The worlds of a day are the same everywhere. */
const SEED = Number(process.env.SIMULATION_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''));

test(`the node keeps what docs/promises.md promises in ${WORLDS} worlds (seed ${SEED})`, async () => {
	const { failure, figures } = await simulate(WORLDS, SEED);
	if (failure) throw new Error(`${failure.problems.join('\n')}\nTo see it: npm run simulate -- --world '${JSON.stringify(failure.world)}'`);
	// Of so few worlds a quarter as often is often enough.
	expect(tooRare({ ...figures, worlds: WORLDS / 4 })).toEqual([]);
});

test('each promise has a check, and each check a promise', () => {
	const page = readFileSync(path.join(__dirname, '..', '..', 'docs', 'promises.md'), 'utf8');
	const checks = [...page.matchAll(/^- \S.* \(`(\w+)`\)$/gm)].map(([, name]) => name);
	expect(checks.sort()).toEqual([...NAMES].sort());
	expect(checks.length).toBeLessThanOrEqual(30);
});
