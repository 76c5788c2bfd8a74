import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { credentials } from '../n8n/credentials.mjs';
import { importInto } from '../n8n/import.mjs';
import { ROOT } from '../setup/paths.mjs';

const EXAMPLES = path.join(ROOT, 'examples');

/** The example workflows, as they are in the files. One without an id has its file's name for it. */
export async function exampleWorkflows() {
	const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(names.map(async (name) => ({ id: path.basename(name, '.json'), ...JSON.parse(await readFile(path.join(EXAMPLES, name), 'utf8')) })));
}

/**
 * A workflow whose nodes have the sandbox's credential, where they ask for one without saying which.
 * @param {{ nodes: { credentials?: Record<string, { id: string, name: string }> }[] }} workflow
 */
export function withSandboxCredential(workflow) {
	const { id, name } = credentials('').find((credential) => credential.id === 'voiceAdminSandbox');
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.voiceAdminApi?.id === '' ? { ...node, credentials: { ...node.credentials, voiceAdminApi: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}

/**
 * Imports the demo's credentials and workflows. Their ids are fixed: what the demo owns is replaced, what the
 * user has made stays.
 * @param {import('../n8n/home.mjs').N8n} n8n
 * @param {string} sandboxUrl
 * @param {(line: string) => void} [report]
 */
export async function importDemo(n8n, sandboxUrl, report) {
	await importInto(n8n, { credentials: credentials(sandboxUrl), workflow: (await exampleWorkflows()).map(withSandboxCredential) }, report);
}
