import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { importInto } from '../n8n/cli.mts';
import { createCredentials } from '../n8n/credentials.mts';
import type { N8nInstance } from '../n8n/home.mts';

const EXAMPLES = path.join(ROOT, 'examples');

/** The part of n8n's workflow JSON that is read here. */
export interface Workflow {
	id: string;
	name: string;
	nodes: Array<{
		name: string;
		type: string;
		parameters: object;
		credentials?: Record<string, { id: string; name: string }>;
	}>;
	connections: object;
}

const readJson = <T,>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;

/**
 * The workflows of examples/, by file name without `.json`, which is the id of a file without one. An Execute Workflow node gets
 * the id of the example that has its name. The files contain no such id: n8n gives an imported workflow a new id, so the node
 * would refer to a workflow that doesn't exist.
 */
export function readExamples(): Map<string, Workflow> {
	const files = readdirSync(EXAMPLES)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'));
	const workflows = files.map((file): Workflow => ({
		id: file,
		...readJson<Omit<Workflow, 'id'>>(path.join(EXAMPLES, `${file}.json`)),
	}));
	for (const node of workflows.flatMap(({ nodes }) => nodes)) {
		if (node.type !== 'n8n-nodes-base.executeWorkflow') continue;
		const calledWorkflow = workflows.find(({ name }) => name === node.name);
		if (!calledWorkflow) throw new Error(`No example has the name of the Execute Workflow node "${node.name}"`);
		node.parameters = {
			...node.parameters,
			workflowId: { __rl: true, mode: 'list', value: calledWorkflow.id, cachedResultName: node.name },
		};
	}
	return new Map(workflows.map((workflow, index) => [files[index]!, workflow]));
}

/** Sets the sandbox's credential in all nodes whose Voice Admin credential has no id. */
export function setSandboxCredential(workflow: Workflow): Workflow {
	const [, { id, name }] = createCredentials('');
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.voiceAdminApi?.id === ''
			? { ...node, credentials: { ...node.credentials, voiceAdminApi: { id, name } } }
			: node,
	);
	return { ...workflow, nodes };
}

/** What was imported: credentials for a sandbox at this address, and workflows. */
interface ImportRecord {
	sandboxUrl: string;
	ids: string[];
}

/**
 * Imports the examples that n8n has never had, so that changes of the user stay. The credentials follow the sandbox's address.
 * @param reset imports everything again @returns the ids of the imported workflows
 */
export async function importNewExamples(
	n8n: N8nInstance,
	{ sandboxUrl, workflows }: { sandboxUrl: string; workflows: Array<{ id: string }> },
	reset: boolean,
): Promise<string[]> {
	const file = path.join(n8n.home, 'imported.json');
	const previousImport = reset || !existsSync(file) ? { sandboxUrl: '', ids: [] } : readJson<ImportRecord>(file);
	const newWorkflows = workflows.filter(({ id }) => !previousImport.ids.includes(id));
	await importInto(n8n, {
		credentials: previousImport.sandboxUrl === sandboxUrl ? [] : createCredentials(sandboxUrl),
		workflow: newWorkflows,
	});
	const ids = newWorkflows.map(({ id }) => id);
	writeFileSync(file, JSON.stringify({ sandboxUrl, ids: [...previousImport.ids, ...ids] }));
	return ids;
}
