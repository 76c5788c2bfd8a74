import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../scripts/setup/failure.mjs';
import { N8N_VERSIONS } from '../../scripts/setup/n8n-versions.mjs';
import { fromRoot, ROOT } from '../../scripts/setup/paths.mjs';
import { BENCH, readResults } from '../results.mjs';
import { document } from './document.mjs';
import { draw } from './draw.mjs';
import { circumstances } from './machine.mjs';
import { PLOTS } from './plots/index.mjs';

/**
 * Writes the report and its plots from the results that are there.
 * @param {{ quick: boolean }} options quick: from the results of --quick, and not into docs
 */
export async function writeReport({ quick }) {
	const all = N8N_VERSIONS.map(({ version }) => readResults(version, quick)).filter(Boolean);
	if (all.length === 0) throw new Failure(`There are no results to report${quick ? ' of --quick' : ''}: npm run bench${quick ? ' -- --quick' : ''} first.`);
	const folder = quick ? path.join(BENCH, 'quick-report') : path.join(ROOT, 'docs');
	const images = path.join(folder, 'images');
	mkdirSync(images, { recursive: true });

	const drawn = {};
	for (const [name, { file, alt, spec }] of Object.entries(PLOTS)) {
		const plot = spec(all, circumstances(all));
		if (!plot) continue;
		const image = `benchmarks-${file}.svg`;
		writeFileSync(path.join(images, image), await draw(plot));
		drawn[name] = `![${alt}](images/${image})`;
	}
	const report = path.join(folder, 'benchmarks.md');
	writeFileSync(report, document(all, drawn, { quick }));
	console.log(`Written: ${fromRoot(report)} and ${Object.keys(drawn).length} plots in ${fromRoot(images)}.`);
	for (const { version } of N8N_VERSIONS) {
		if (!all.some(({ n8n }) => n8n === version)) console.log(`n8n ${version} is missing in it: npm run bench -- --n8n ${version}`);
	}
}
