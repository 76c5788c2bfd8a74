import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { credentials } from './accounts.mjs';
import { n8nCommand } from './n8n-command.mjs';
import { n8nHome } from './n8n-home.mjs';

const EXAMPLES = path.join(ROOT, 'examples');

/** The example workflows, as they are in the files. */
export async function exampleWorkflows() {
	const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(names.map(async (name) => JSON.parse(await readFile(path.join(EXAMPLES, name), 'utf8'))));
}

/**
 * Imports the demo's credentials and workflows. Their ids are fixed: what the demo owns is replaced, what the
 * user has made stays.
 * @param {Awaited<ReturnType<typeof import('../setup/runtime.mjs').ensureRuntime>>} runtime
 * @param {{ port: number, sandboxUrl: string, report?: (line: string) => void }} options
 */
export async function importDemo(runtime, { port, sandboxUrl, report }) {
	await importInto(runtime, { credentials: credentials(sandboxUrl), workflow: await exampleWorkflows() }, { port, report });
}

/**
 * Imports credentials and workflows by n8n's own commands.
 * @param {Awaited<ReturnType<typeof import('../setup/runtime.mjs').ensureRuntime>>} runtime
 * @param {{ credentials: object[], workflow: object[] }} content by the name of n8n's command for it
 * @param {{ port: number, report?: (line: string) => void }} options
 */
export async function importInto(runtime, content, { port, report }) {
	const folder = path.join(n8nHome(runtime.version), 'import');
	await mkdir(folder, { recursive: true });
	for (const [kind, records] of Object.entries(content)) {
		const file = path.join(folder, `${kind}.json`);
		await writeFile(file, JSON.stringify(records));
		await n8nCommand(runtime, [`import:${kind}`, `--input=${file}`], { port, report });
	}
}
