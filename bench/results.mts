import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CACHE } from '../scripts/bootstrap/paths.mjs';
import type { Scenario } from './scenarios.mts';

/** What the service counted. requests: without logins; different: those with a good reply, the same ones counted once */
export type Counters = Record<'requests' | 'logins' | 'different' | 'peakInFlight', number>;

/** What a run says of itself. Times in ms, memory in bytes. */
export interface Outcome {
	/** Of the node, as n8n has it; in a server from the first call to the last reply. */
	time: number;
	/** Items that came out without an error, of how many (of the scenario's without it). */
	good: number;
	items?: number;
	/** Of the process, until the node's end. */
	peakMemory?: number;
	/** On which the node stopped. */
	error?: string;
	/** In a server: what the service's limit alone would take. */
	ideal?: number;
}

/** One run of one variant. */
export interface Measurement extends Outcome {
	items: number;
	service: Counters;
}

export interface ScenarioResult {
	measuredAt: string;
	machine: ReturnType<typeof thisMachine>;
	scenario: Scenario;
	/** By the variant's id. */
	rounds: Array<Record<string, Measurement>>;
}

/** What was measured on one version of n8n: a scenario that is measured again replaces the one before. */
export interface Results {
	n8n: string;
	scenarios: Record<string, ScenarioResult>;
}

/** Where something is measured; memory in bytes, node: the version of the Node that runs n8n. */
export function thisMachine({ bin }: { bin: string }) {
	const cores = os.cpus();
	const processor = cores[0]?.model.trim() ?? 'unknown';
	const node = spawnSync(bin, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^v/, '');
	return { processor, cores: cores.length, memory: os.totalmem(), system: `${os.type()} ${os.release()} ${os.arch()}`, node };
}

/** Everything that the benchmark writes, but for the report. */
export const BENCH = path.join(CACHE, 'bench');

const fileOf = (version: string) => path.join(BENCH, `results-${version}.json`);

/** The results on a version of n8n; without any where nothing was measured. */
export function readResults(version: string): Results {
	const file = fileOf(version);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { n8n: version, scenarios: {} };
}

export function saveResult(version: string, id: string, result: ScenarioResult): void {
	const results = readResults(version);
	results.scenarios[id] = result;
	mkdirSync(BENCH, { recursive: true });
	writeFileSync(fileOf(version), `${JSON.stringify(results, null, '\t')}\n`);
}
