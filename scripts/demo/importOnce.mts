import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { importInto, n8nCommand } from '../n8n/cli.mts';
import type { N8n } from '../n8n/home.mts';

/** What a person changes of a workflow in the editor. */
interface Workflow {
	id: string;
	nodes: object[];
	connections: object;
}

/** Hashes of what was imported, by id. */
type Hashes = Record<string, string>;

const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const hashesOf = (workflows: Workflow[]): Hashes =>
	Object.fromEntries(workflows.map(({ id, nodes, connections }) => [id, hashOf([nodes, connections])]));
const readJson = async <T,>(file: string) => JSON.parse(await readFile(file, 'utf8')) as T;

/**
 * Imports what n8n has not been given before. A workflow that has changed in its file is imported again, unless somebody
 * has changed or deleted it in n8n.
 * @param content workflows and credentials with fixed ids
 * @param reset whether all is imported again
 * @returns the ids of the workflows that were imported
 */
export async function importOnce(
	n8n: N8n,
	content: { credentials: ReadonlyArray<{ id: string }>; workflow: Workflow[] },
	reset: boolean,
): Promise<string[]> {
	const file = path.join(n8n.home, 'imported.json');
	const before = reset || !existsSync(file) ? {} : await readJson<Hashes>(file);
	const files = hashesOf(content.workflow);
	const changed = content.workflow.filter(({ id }) => files[id] !== before[id]);
	const stored = changed.some(({ id }) => id in before) ? await hashesIn(n8n) : {};
	const workflow = changed.filter(({ id }) => before[id] === stored[id]);
	const credentials = content.credentials.filter((credential) => before[credential.id] !== hashOf(credential));
	await importInto(n8n, { credentials, workflow });
	const imported = [...credentials.map((credential) => [credential.id, hashOf(credential)]), ...workflow.map(({ id }) => [id, files[id]])];
	await mkdir(n8n.home, { recursive: true });
	await writeFile(file, JSON.stringify({ ...before, ...(Object.fromEntries(imported) as Hashes) }));
	return workflow.map(({ id }) => id);
}

/** Those of the workflows as they are in n8n now. */
async function hashesIn(n8n: N8n): Promise<Hashes> {
	const file = path.join(n8n.home, 'exported.json');
	await n8nCommand(n8n, ['export:workflow', '--all', `--output=${file}`]);
	return hashesOf(await readJson<Workflow[]>(file));
}
