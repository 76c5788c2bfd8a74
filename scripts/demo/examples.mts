import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { credentials } from '../n8n/credentials.mts';

const EXAMPLES = path.join(ROOT, 'examples');

/** What is read here of a workflow, in n8n's own words. */
export interface Workflow {
	id: string;
	name: string;
	nodes: Array<{ name: string; type: string; parameters: object; credentials?: Record<string, { id: string; name: string }> }>;
	connections: object;
}

/** @param file name without `.json`, which is the id of a workflow that has none */
const read = (file: string) => ({ id: file, ...JSON.parse(readFileSync(path.join(EXAMPLES, `${file}.json`), 'utf8')) }) as Workflow;

const readAll = () => readdirSync(EXAMPLES).filter((file) => file.endsWith('.json')).map((file) => read(path.basename(file, '.json')));

/**
 * A workflow of examples/, whose Execute Workflow nodes call the examples that have their names. In its file they call none,
 * as n8n gives an imported workflow a new id: a person would be offered one that isn't there.
 */
export const readExample = (file: string): Workflow => withCalled(read(file), readAll());

/** All of them. */
export function readExamples(): Workflow[] {
	const all = readAll();
	return all.map((workflow) => withCalled(workflow, all));
}

function withCalled(workflow: Workflow, all: Workflow[]): Workflow {
	const nodes = workflow.nodes.map((node) => {
		if (node.type !== 'n8n-nodes-base.executeWorkflow') return node;
		const called = all.find(({ name }) => name === node.name);
		if (!called) throw new Error(`No example has the name of the node "${node.name}", which calls one`);
		return { ...node, parameters: { ...node.parameters, workflowId: { __rl: true, mode: 'list', value: called.id, cachedResultName: node.name } } };
	});
	return { ...workflow, nodes };
}

/** A workflow whose nodes have the sandbox's credential, where they ask for one without saying which. */
export function withSandboxCredential(workflow: Workflow): Workflow {
	const [, { id, name }] = credentials('');
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.voiceAdminApi?.id === '' ? { ...node, credentials: { ...node.credentials, voiceAdminApi: { id, name } } } : node);
	return { ...workflow, nodes };
}
