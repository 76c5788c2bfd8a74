import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CACHE } from '../scripts/bootstrap/paths.mjs';
import type { Scenario } from './scenarios.mts';

/**
 * What the service counted. requests: without logins; good: replies of success, without logins; different: requests
 * with a good reply, the same ones counted once; limited: answered with 429
 */
export type Counters = Record<'requests' | 'logins' | 'good' | 'different' | 'limited' | 'peakInFlight' | 'sockets', number>;

/** One run of one variant. Times in ms, memory in bytes. */
export interface Measurement {
	/** Of the node, as n8n has it; in a server from the first call to the last reply. */
	time: number;
	/** Whether no other program was busy when it began. */
	wasIdle: boolean;
	/** That were to come out; good: that came out without an error. */
	items: number;
	good: number;
	/** Of the process: processor time from the node's start to its end, and the most memory until then. */
	cpu?: number;
	peakMemory?: number;
	/** On which the node stopped. */
	error?: string;
	/** In a server: what the service's limit alone would take; calls that n8n answered with an error. */
	ideal?: number;
	failedCalls?: number;
	/** Calls with a single item beside the others, and how many of them gave no result. */
	singles?: number[];
	failedSingles?: number;
	/** How long n8n took to answer each health check. */
	healthChecks?: number[];
	service: Counters;
}

/** By the variant's id. */
export type Round = Record<string, Measurement>;

export interface ScenarioResult {
	measuredAt: string;
	machine: Machine;
	scenario: Scenario;
	rounds: Round[];
}

/** What was measured on one version of n8n: a scenario that is measured again replaces the one before. */
export interface Results {
	n8n: string;
	scenarios: Record<string, ScenarioResult>;
	/** load: ms, each in a new process; tarball: bytes */
	installed?: { load: number[]; tarball: number };
}

export type Machine = ReturnType<typeof thisMachine>;

/** Where something is measured; memory in bytes, node: the version of the Node that runs n8n. */
export function thisMachine({ bin }: { bin: string }) {
	const cores = os.cpus();
	const processor = cores[0]?.model.trim() ?? 'unknown';
	const node = spawnSync(bin, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^v/, '');
	return { processor, cores: cores.length, memory: os.totalmem(), system: `${os.type()} ${os.release()} ${os.arch()}`, node };
}

/** Everything that the benchmark writes, but for the report. */
export const BENCH = path.join(CACHE, 'bench');

const fileOf = (version: string, quick: boolean) => path.join(BENCH, `results-${version}${quick ? '-quick' : ''}.json`);

/** The results on a version of n8n, or those of --quick; undefined where nothing was measured. */
export function readResults(version: string, quick: boolean): Results | undefined {
	const file = fileOf(version, quick);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
}

export function updateResults(version: string, quick: boolean, change: (results: Results) => void): void {
	const results = readResults(version, quick) ?? { n8n: version, scenarios: {} };
	change(results);
	mkdirSync(BENCH, { recursive: true });
	writeFileSync(fileOf(version, quick), `${JSON.stringify(results, null, '\t')}\n`);
}
