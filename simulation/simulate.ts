import { createHash } from 'node:crypto';
import fc from 'fast-check';

import { FAULTS } from './faults';
import { INVARIANTS, type InvariantName, viewOf } from './invariants';
import { happen } from './happen';
import type { History } from './n8n';
import { type World, worlds as anyWorld } from './world';

/** What was simulated: in how many worlds each fault struck, and each invariant was put to the test, and was broken. */
export interface Figures {
	worlds: number;
	requests: number;
	simulatedMs: number;
	faults: Record<string, number>;
	tested: Record<string, number>;
	broken: Record<string, number>;
	/** Of all traces: the same on every machine. */
	digest: string;
}

/** A world in which something is wrong, made as small as it can be. */
export interface Failure {
	world: World;
	problems: string[];
	trace: string[];
}

export const NAMES = Object.keys(INVARIANTS) as InvariantName[];

/** In how many worlds each fault is to strike, and each invariant is to be put to the test. */
const LEAST = { faults: 0.01, tested: 0.02 };

/** What happens too rarely for a simulation to say anything of it. */
export const tooRare = ({ worlds, ...counts }: Figures): string[] =>
	(['faults', 'tested'] as const).flatMap((of) =>
		(of === 'faults' ? Object.keys(FAULTS) : NAMES).filter((name) => (counts[of][name] ?? 0) < worlds * LEAST[of]),
	);

/** How many worlds apart those are that happen twice, to see whether they are the same. */
const TWICE_EVERY = 100;

/** How long a failing world is made smaller, of thousands of steps. Mutants need none of it. */
const MAX_SHRINKING_MS = process.env.SIMULATION_WORLDS ? 0 : 60_000;

const count = (of: Record<string, number>, name: string) => void (of[name] = (of[name] ?? 0) + 1);

/** What is wrong with a history, by invariants. @param figures are told of each that is put to the test, and broken */
function problemsOf(history: History, names: InvariantName[], figures?: Figures): string[] {
	const view = viewOf(history);
	return names.flatMap((name) => {
		const problems = INVARIANTS[name](view);
		if (problems && figures) count(figures.tested, name);
		if (problems && figures && problems.length > 0) count(figures.broken, name);
		return (problems ?? []).map((problem) => `${name}: ${problem}`);
	});
}

/** Lets one world happen, and says what is wrong with it. */
export async function show(world: World, names = NAMES): Promise<Failure> {
	const history = await happen(world);
	return { world, problems: problemsOf(history, names), trace: history.trace };
}

/** jest-worker calls it in each process: whoever asks may be killed. */
export const setup = (): void => void process.on('disconnect', () => process.exit());

/**
 * Lets worlds of a seed happen. The first in which something is wrong is made small.
 * @param names of the invariants that are checked
 */
export async function simulate(
	worlds: number,
	seed: number,
	names = NAMES,
): Promise<{ figures: Figures; failure?: Failure }> {
	const figures: Figures = { worlds: 0, requests: 0, simulatedMs: 0, faults: {}, tested: {}, broken: {}, digest: '' };
	const digest = createHash('sha256');
	let failure: Failure | undefined;
	for (const [nth, world] of fc.sample(anyWorld, { numRuns: worlds, seed }).entries()) {
		const history = await happen(world);
		const trace = history.trace.join('\n');
		digest.update(trace);
		figures.worlds++;
		figures.requests += history.sends.length;
		figures.simulatedMs += history.simulatedMs;
		for (const kind of new Set(history.sends.map((send) => send.kind))) if (kind !== '') count(figures.faults, kind);
		const problems = problemsOf(history, names, figures);
		if (nth % TWICE_EVERY === 0 && (await happen(world)).trace.join('\n') !== trace) {
			throw new Error(`the same world has two histories: ${JSON.stringify(world)}`);
		}
		if (problems.length === 0 || failure) continue;
		failure = { world, problems, trace: history.trace };
		if (MAX_SHRINKING_MS === 0) break;
		const brokenNames = names.filter((name) => problems.some((problem) => problem.startsWith(`${name}: `)));
		let last: Promise<History> | undefined;
		const isKept = fc.asyncProperty(
			anyWorld,
			async (each) => problemsOf(await (last = happen(each)), brokenNames).length === 0,
		);
		const result = await fc.check(isKept, {
			numRuns: 1,
			seed,
			path: String(nth),
			interruptAfterTimeLimit: MAX_SHRINKING_MS,
		});
		// It goes on when its time is over, and no other world may happen meanwhile.
		await last;
		if (result.counterexample) failure = await show(result.counterexample[0], names);
	}
	return { figures: { ...figures, digest: digest.digest('hex') }, failure };
}
