import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedScenario, Run } from '../plan.mts';
import type { Measurement, Round } from '../results.mts';
import { type ReadyRun, startExecution } from './execute.mts';
import type { Fixture } from './fixture.mts';
import { startWebhooks } from './webhooks.mts';

/** n8n processes that are started side by side; each takes some 300 MB and, while it starts, a core. */
const PROCESSES_AT_ONCE = 4;

/** For what the run before has left to do in a server. */
const BETWEEN_RUNS_MS = 3_000;

/** Share of all cores that may be busy on a machine that counts as idle, and how long it is waited for. */
const MOST_BUSY = 0.1;
const LONGEST_WAIT_MS = 5_000;

/** Runs the variants of one round of a scenario, one after the other, all of them in one server or each in a process of its own. */
export async function runRound(planned: PlannedScenario, round: number, fixture: Fixture, report: (now: string) => void): Promise<Round> {
	const results: Round = {};
	const runs = planned.rounds[round] ?? [];
	const start = (run: Run) => startExecution(fixture.n8n, run, fixture.turns);
	const isInServer = runs[0]?.scenario.server !== undefined;
	const size = isInServer ? runs.length : PROCESSES_AT_ONCE;
	for (let first = 0; first < runs.length; first += size) {
		const together = runs.slice(first, first + size);
		report(`round ${round + 1}: starting n8n`);
		const server = isInServer ? await startWebhooks(fixture, `${planned.id}-${round + 1}`, together) : undefined;
		const ready = server?.runs ?? (await Promise.all(together.map(start)));
		for (const [index, run] of together.entries()) {
			report(`round ${round + 1}: ${run.variant.name}`);
			results[run.variant.id] = await measure(run, ready[index] as ReadyRun, fixture);
		}
		await server?.stop();
	}
	return results;
}

async function measure({ scenario, variant }: Run, { go }: ReadyRun, { service }: Fixture): Promise<Measurement> {
	if (scenario.server) await sleep(BETWEEN_RUNS_MS);
	const wasIdle = await waitForIdleCpu();
	await service.begin(scenario);
	const outcome = await go();
	return { items: variant.countriesOfOneItem ?? variant.items ?? scenario.items, wasIdle, ...outcome, service: await service.counters() };
}

/**
 * Waits until the machine has nothing else to do. n8n starts a process for Code nodes beside each run, which is busy
 * for a second or two after n8n itself is ready.
 * @returns false when the machine was still busy after some seconds: other programs take part
 */
export async function waitForIdleCpu(): Promise<boolean> {
	const deadline = Date.now() + LONGEST_WAIT_MS;
	do {
		const before = cpuTimes();
		await sleep(300);
		const after = cpuTimes();
		if (1 - (after.idle - before.idle) / (after.all - before.all) <= MOST_BUSY) return true;
	} while (Date.now() < deadline);
	return false;
}

/** Of all cores since the system's start, in ms. */
function cpuTimes(): { idle: number; all: number } {
	const cores = os.cpus().map(({ times }) => times);
	const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
	return { idle: sum(cores.map(({ idle }) => idle)), all: sum(cores.flatMap((times) => Object.values(times))) };
}
