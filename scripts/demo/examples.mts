import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { importInto, n8nCommand } from '../n8n/cli.mts';
import { credentials } from '../n8n/credentials.mts';
import type { N8n } from '../n8n/home.mts';

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
	const all = files.map((file): Workflow => ({
		id: file,
		...readJson<Omit<Workflow, 'id'>>(path.join(EXAMPLES, `${file}.json`)),
	}));
	for (const node of all.flatMap(({ nodes }) => nodes)) {
		if (node.type !== 'n8n-nodes-base.executeWorkflow') continue;
		const target = all.find(({ name }) => name === node.name);
		if (!target) throw new Error(`No example has the name of the Execute Workflow node "${node.name}"`);
		node.parameters = {
			...node.parameters,
			workflowId: { __rl: true, mode: 'list', value: target.id, cachedResultName: node.name },
		};
	}
	return new Map(all.map((workflow, index) => [files[index]!, workflow]));
}

/** Sets the sandbox's credential in all nodes whose Voice Admin credential has no id. */
export function withSandboxCredential(workflow: Workflow): Workflow {
	const [, { id, name }] = credentials('');
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.voiceAdminApi?.id === ''
			? { ...node, credentials: { ...node.credentials, voiceAdminApi: { id, name } } }
			: node,
	);
	return { ...workflow, nodes };
}

/** What a user can change in the editor. */
type Changeable = Pick<Workflow, 'id' | 'connections'> & { nodes: object[] };

/** Hashes of what was imported, by id. */
type Hashes = Record<string, string>;

const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const hashesOf = (workflows: Changeable[]): Hashes =>
	Object.fromEntries(workflows.map(({ id, nodes, connections }) => [id, hashOf([nodes, connections])]));

/**
 * Imports what n8n doesn't have yet. A workflow whose file has changed is imported again, unless the user has changed or deleted
 * it in n8n.
 * @param content with fixed ids @param reset imports everything again @returns the ids of the imported workflows
 */
export async function importOnce(
	n8n: N8n,
	content: { credentials: ReadonlyArray<{ id: string }>; workflow: Changeable[] },
	reset: boolean,
): Promise<string[]> {
	const file = path.join(n8n.home, 'imported.json');
	const before = reset || !existsSync(file) ? {} : readJson<Hashes>(file);
	const files = hashesOf(content.workflow);
	const changed = content.workflow.filter(({ id }) => files[id] !== before[id]);
	const stored = changed.some(({ id }) => id in before) ? await hashesIn(n8n) : {};
	// A new workflow is in neither of them.
	const workflow = changed.filter(({ id }) => before[id] === stored[id]);
	const changedCredentials = content.credentials.filter((credential) => before[credential.id] !== hashOf(credential));
	await importInto(n8n, { credentials: changedCredentials, workflow });
	const imported = [
		...changedCredentials.map((credential) => [credential.id, hashOf(credential)]),
		...workflow.map(({ id }) => [id, files[id]]),
	];
	writeFileSync(file, JSON.stringify({ ...before, ...(Object.fromEntries(imported) as Hashes) }));
	return workflow.map(({ id }) => id);
}

/** The hashes of the workflows that are in n8n now. */
async function hashesIn(n8n: N8n): Promise<Hashes> {
	const file = path.join(n8n.home, 'exported.json');
	await n8nCommand(n8n, ['export:workflow', '--all', `--output=${file}`]);
	return hashesOf(readJson<Changeable[]>(file));
}
