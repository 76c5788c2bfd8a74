import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CACHE } from '../scripts/setup/paths.mjs';

/** Everything that the benchmark writes, but for the report. */
export const BENCH = path.join(CACHE, 'bench');

/**
 * What was measured on one version of n8n. Each scenario says when: one that is measured again by --only
 * replaces the one before.
 * @typedef {object} Results
 * @property {string} n8n its version
 * @property {Record<string, ScenarioResult>} scenarios by id
 * @property {import('./installed/measure.mjs').Installed} [installed]
 * @property {Record<string, import('./profile/summary.mjs').Profile>} [profiles] by scenario
 *
 * @typedef {object} ScenarioResult
 * @property {string} measuredAt ISO date and time
 * @property {import('./machine.mjs').Machine} machine
 * @property {import('./scenarios.mjs').Scenario} scenario
 * @property {Record<string, import('./track/measure.mjs').Measurement>[]} rounds by the entry's id
 */

const fileOf = (version, quick) => path.join(BENCH, `${version}${quick ? '-quick' : ''}.json`);

/**
 * @param {string} version of n8n
 * @param {boolean} quick whether those of --quick
 * @returns {Results | undefined} undefined where nothing was measured
 */
export function readResults(version, quick) {
	const file = fileOf(version, quick);
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * @param {string} version of n8n
 * @param {boolean} quick
 * @param {(results: Results) => void} change what is new
 */
export function updateResults(version, quick, change) {
	const results = readResults(version, quick) ?? { n8n: version, scenarios: {} };
	change(results);
	mkdirSync(BENCH, { recursive: true });
	writeFileSync(fileOf(version, quick), `${JSON.stringify(results, null, '\t')}\n`);
}
