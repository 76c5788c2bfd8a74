import { executeWorkflow } from '../../scripts/n8n/execute.mjs';
import { Failure } from '../../scripts/setup/failure.mjs';
import { LOOP } from './loop.mjs';
import { FINISH_LINE, MEASURED, STARTING_LINE } from './workflow.mjs';

/**
 * One run of one entry, measured.
 * @typedef {object} Measurement
 * @property {number} time ms that the node took, as n8n has it; in a loop from the starting line to the finish line; in a
 *   server from the first call to the last reply
 * @property {boolean} wasQuiet whether the machine had nothing else to do when it began
 * @property {number} items that were to come out
 * @property {number} good items that came out without an error
 * @property {number} cpu ms of processor time of the process, from the node's start to its end
 * @property {number} peakMemory bytes that the process had at most, from its start to the node's end
 * @property {string} [error] on which the node stopped
 * @property {number} [ideal] ms, of a run in a server behind a limit: what the limit alone would take
 * @property {number} [failedCalls] of a webhook, which n8n answered with an error
 * @property {number} [firstSingle] ms of the first call with a single item beside the others
 * @property {number[]} [singles] ms of those that follow
 * @property {number} [failedSingles] of these, those without a result
 * @property {import('../service/process.mjs').Counters} service what the service counted
 */

/**
 * Starts n8n for one run, up to the starting line.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n
 * @param {{ workflow: string }} run
 * @param {Awaited<ReturnType<typeof import('./starter.mjs').openTrack>>} track
 * @param {{ profile?: string }} [options] profile: the file to write a CPU profile of the measured node to
 * @returns {Promise<{ go: () => Promise<Omit<Measurement, 'wasQuiet' | 'items' | 'service'>> }>}
 */
export async function toTheStart(n8n, { workflow }, track, { profile } = {}) {
	const lane = `${workflow} ${performance.now()}`;
	const settings = { BENCH_TURN_URL: track.url(lane), ...(profile && { BENCH_PROFILE: profile }) };
	const execution = executeWorkflow(n8n, workflow, { log: `bench-${workflow}`, settings });
	// Asked for below; until then a failure is not one that nobody looks after.
	execution.catch(() => {});
	await Promise.race([track.arrived(lane), execution.then(endedEarly)]);
	return {
		go: async () => {
			track.go(lane);
			return read(await execution, workflow);
		},
	};
}

function endedEarly({ error }) {
	throw new Failure(`n8n did not get as far as the node that is measured: ${error?.message ?? 'it ended'}`);
}

function read({ runData, error }, workflow) {
	const [node] = runData[MEASURED] ?? [];
	if (!node) throw new Failure(`n8n did not run the measured node of ${workflow}: ${error?.message ?? 'no reason given'}`);
	const atTheEnd = runData[FINISH_LINE]?.[0].data.main[0][0].json;
	// The finish line is not reached by a node that stops on an error: all of its items are lost.
	if (!atTheEnd) return { time: node.executionTime, good: 0, error: node.error?.message ?? error?.message };
	const { failed: _, ...rest } = atTheEnd;
	return { time: runData[LOOP] ? betweenTheLines(runData) : node.executionTime, ...rest };
}

/** The measured node runs many times in a loop, and n8n works between them. */
function betweenTheLines({ [STARTING_LINE]: [start], [FINISH_LINE]: [finish] }) {
	return finish.startTime - (start.startTime + start.executionTime);
}
