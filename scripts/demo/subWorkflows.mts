import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../bootstrap/paths.mjs';

export const EXAMPLES = path.join(ROOT, 'examples');

interface Named {
	id?: string;
	name: string;
}

/** What is read here of a workflow, in n8n's own words. */
interface Calling {
	nodes: Array<{ name: string; type: string; parameters: object }>;
}

let callableIds: Map<string, string> | undefined;

/** The ids of the examples that can be called, by their names. */
function readCallable(): Map<string, string> {
	const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
	const workflows = files.map((file) => JSON.parse(readFileSync(path.join(EXAMPLES, file), 'utf8')) as Named);
	return new Map(workflows.flatMap(({ id, name }) => (id ? [[name, id]] : [])));
}

/**
 * A workflow whose Execute Workflow nodes call the examples that have their names. In the files they call none, as n8n
 * gives an imported workflow a new id: a person would be offered one that isn't there.
 */
export function withSubWorkflows<T extends Calling>(workflow: T): T {
	const ids = (callableIds ??= readCallable());
	const link = (node: T['nodes'][number]) => {
		if (node.type !== 'n8n-nodes-base.executeWorkflow') return node;
		const id = ids.get(node.name);
		if (!id) throw new Error(`No example has the name of the node "${node.name}", which calls one`);
		return { ...node, parameters: { ...node.parameters, workflowId: { __rl: true, mode: 'list', value: id, cachedResultName: node.name } } };
	};
	return { ...workflow, nodes: workflow.nodes.map(link) };
}
