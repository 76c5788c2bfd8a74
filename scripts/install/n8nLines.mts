import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { installModules } from './modules.mts';
import { N8N_VERSIONS } from './n8nVersions.mts';
import type { NodeRuntime } from './nodeRuntime.mts';
import { chooseRuntime, nodeFor } from './runtime.mts';

const FOLDER = path.join(ROOT, 'runtimes', 'n8n-core');
const { dependencies } = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };

/** The versions of n8n whose n8n-core the tests can run in, beside the project's own; the newest last. */
export const N8N_LINES = Object.keys(dependencies).map((name) => name.replace('n8n-', ''));

/** Asks for all of them. */
export const ALL_LINES = 'all';

/** For the option's parse. @returns the lines that it asks for */
export function linesOf(text: string, option: string): string[] {
	if (text === ALL_LINES) return N8N_LINES;
	if (N8N_LINES.includes(text)) return [text];
	throw new Failure(`${option} takes one of ${N8N_LINES.join(', ')}, or ${ALL_LINES}, not ${text}.`);
}

/** Installs n8n-core of all lines, which share most of what they need. @returns the Node that runs them: the newest n8n's, on which the others run, too */
export async function ensureLines(): Promise<NodeRuntime> {
	const node = await nodeFor(chooseRuntime(N8N_VERSIONS.at(-1)!.version));
	await installModules({ what: `n8n-core of ${N8N_LINES.length} versions of n8n`, takes: '0.5 GB, half a minute', log: 'n8n-core', folder: FOLDER, node });
	return node;
}
