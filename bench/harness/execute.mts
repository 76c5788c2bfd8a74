import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { executeWorkflow } from '../../scripts/n8n/cli.mts';
import type { N8n } from '../../scripts/n8n/home.mts';
import { runEnvironment } from '../../scripts/bootstrap/environment.mjs';
import { Failure, failureOf } from '../../scripts/bootstrap/failure.mjs';
import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import { runLogged } from '../../scripts/bootstrap/processes.mjs';
import type { Run } from '../plan.mts';
import type { Measurement } from '../results.mts';
import { FINISH, MEASURED } from './workflows.mts';

/** What a run itself says of its measurement. */
export type Outcome = Omit<Measurement, 'wasIdle' | 'items' | 'service'> & { items?: number };

/** A run that has done all that is not measured, and waits. */
export type ReadyRun = { go: () => Promise<Outcome> };

/** What n8n notes of one run of a node. Times in ms */
interface NodeRun {
	executionTime: number;
	error?: { message: string };
	data: { main: Array<Array<{ json: Omit<Outcome, 'time'> }>> };
}

/**
 * Starts `n8n execute` for one run. Processes start side by side, which saves most of the time that n8n takes for it;
 * each then asks `turns` for its turn, and does nothing until it is answered.
 * @throws Failure when n8n does not get as far as the measured node
 */
export async function startExecution(n8n: N8n, { workflow }: Run, turns: http.Server): Promise<ReadyRun> {
	const turn = `/${randomUUID()}`;
	const asked = once(turns, turn) as Promise<[http.ServerResponse]>;
	const settings = { BENCH_TURN_URL: `http://127.0.0.1:${(turns.address() as AddressInfo).port}${turn}` };
	const execution = executeWorkflow(n8n, workflow, { log: `bench-${workflow}`, settings });
	const endedEarly = execution.then(({ error }) => {
		throw new Failure(`n8n did not get as far as the node that is measured: ${messageOf(error) ?? 'it ended'}`);
	});
	const [reply] = await Promise.race([asked, endedEarly]);
	// Asked for in go(); until then a failure is not one that nobody looks after.
	endedEarly.catch(() => {});
	return {
		go: async () => {
			reply.end();
			const { runData, error } = await execution;
			return read(runData as Record<string, NodeRun[]>, messageOf(error), workflow);
		},
	};
}

const messageOf = (error: object | undefined) => (error as Error | undefined)?.message;

function read(runData: Record<string, NodeRun[]>, error: string | undefined, workflow: string): Outcome {
	const [node, finish] = [MEASURED, FINISH].map((name) => runData[name]?.[0]);
	if (!node) throw new Failure(`n8n did not run the measured node of ${workflow}: ${error ?? 'no reason given'}`);
	const atTheEnd = finish?.data.main[0]?.[0]?.json;
	// The last node is not reached by one that stops on an error: all of its items are lost.
	if (!finish || !atTheEnd) return { time: node.executionTime, good: 0, error: node.error?.message ?? error };
	return { time: node.executionTime, ...atTheEnd };
}

/** Runs a program of Node to its end. @returns what it prints */
export async function runProgram({ node }: N8n, args: string[], log: string): Promise<string> {
	const result = await runLogged(node.bin, args, { log, cwd: ROOT, env: { ...runEnvironment(), NODE_NO_WARNINGS: '1' } });
	if (result.code !== 0) throw failureOf('A program of the benchmark failed; the lines above say why.', result);
	return result.output;
}
