import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../scripts/bootstrap/failure.mjs';
import { N8N_VERSIONS } from '../../scripts/install/n8nVersions.mts';
import { fromRoot, ROOT } from '../../scripts/bootstrap/paths.mjs';
import { BENCH, readResults } from '../results.mts';
import { circumstances, document, FIGURES, figures } from './document.mts';
import { drawPlots } from './plots.mts';

/** Writes the report, its figures and its plots from the results that are there; those of --quick not into docs. */
export async function writeReport(quick: boolean): Promise<void> {
	const all = N8N_VERSIONS.flatMap(({ version }) => readResults(version, quick) ?? []);
	if (all.length === 0) throw new Failure(`There are no results to report${quick ? ' of --quick' : ''}: npm run bench${quick ? ' -- --quick' : ''} first.`);
	const folder = quick ? path.join(BENCH, 'quick-report') : path.join(ROOT, 'docs');
	const images = path.join(folder, 'images');
	mkdirSync(images, { recursive: true });
	const plots = await drawPlots(all, circumstances(all));
	for (const { id, svg } of plots) writeFileSync(path.join(images, `benchmarks-${id}.svg`), svg);
	const report = path.join(folder, 'benchmarks.md');
	writeFileSync(report, document(all, Object.fromEntries(plots.map(({ id, alt }) => [id, `![${alt}](images/benchmarks-${id}.svg)`]))));
	writeFileSync(path.join(folder, FIGURES), figures(all));
	console.log(`Written: ${fromRoot(report)}, ${FIGURES} beside it, and ${plots.length} plots in ${fromRoot(images)}.`);
	for (const { version } of N8N_VERSIONS) {
		if (!all.some(({ n8n }) => n8n === version)) console.log(`n8n ${version} is missing in it: npm run bench -- --n8n ${version}`);
	}
}
