import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { importInto } from '../n8n/cli.mts';
import { credentials } from '../n8n/credentials.mts';
import type { N8n } from '../n8n/home.mts';
import type { WorkflowNode } from '../n8n/workflow.mts';

export interface Workflow {
	id: string;
	nodes: WorkflowNode[];
}

const EXAMPLES = path.join(ROOT, 'examples');

/** The example workflows, as they are in the files. One without an id has its file's name for it. */
export async function exampleWorkflows(): Promise<Workflow[]> {
	const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.json')).sort();
	const read = async (name: string) => ({ id: path.basename(name, '.json'), ...(JSON.parse(await readFile(path.join(EXAMPLES, name), 'utf8')) as { nodes: WorkflowNode[] }) });
	return await Promise.all(names.map(read));
}

/** A workflow whose nodes have the sandbox's credential, where they ask for one without saying which. */
export function withSandboxCredential(workflow: Workflow): Workflow {
	const [, { id, name }] = credentials('');
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.voiceAdminApi?.id === '' ? { ...node, credentials: { ...node.credentials, voiceAdminApi: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}

/**
 * Imports the demo's credentials and workflows. Their ids are fixed: what the demo owns is replaced, what the
 * user has made stays.
 */
export async function importDemo(n8n: N8n, sandboxUrl: string, report?: (line: string) => void): Promise<void> {
	await importInto(n8n, { credentials: credentials(sandboxUrl), workflow: (await exampleWorkflows()).map(withSandboxCredential) }, report);
}
