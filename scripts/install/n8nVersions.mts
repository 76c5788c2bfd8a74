import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { ROOT } from '../bootstrap/paths.mjs';

/** The pinned versions of n8n, oldest first, each with the Node majors that it supports. */
export const N8N_VERSIONS = [
	{ version: '2.8.4', from: 20, to: 24 },
	{ version: '2.41.1', from: 24, to: Infinity },
] as const;

/** The value of --n8n for the latest n8n in the registry, which isn't pinned. */
export const NEWEST = 'newest';

export const PINNED_VERSIONS: string[] = N8N_VERSIONS.map(({ version }) => version);

export const N8N_CHOICES = [...PINNED_VERSIONS, NEWEST];

export const createN8nOption = () =>
	new Option(
		'--n8n <VERSION>',
		`n8n version; default: the newest pinned one for this Node. ${NEWEST}: the registry's latest, without a lock file`,
	).choices(N8N_CHOICES);

/** n8n-core of several minor versions of n8n, in which the tests can run; its package.json has each as `n8n-<version>`. */
export const N8N_CORES_FOLDER = path.join(ROOT, 'runtimes', 'n8n-core');
const manifest = readFileSync(path.join(N8N_CORES_FOLDER, 'package.json'), 'utf8');
const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };

/** Those versions of n8n, oldest first; the one in the project's own package.json is not among them. */
export const N8N_CORE_VERSIONS = Object.keys(dependencies).map((name) => name.replace('n8n-', ''));
