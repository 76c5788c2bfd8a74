import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';

/** The pinned versions of n8n, each with the Node majors that it runs on; the newest last. */
export const N8N_VERSIONS = [
	{ version: '2.8.4', from: 20, to: 24 },
	{ version: '2.41.1', from: 24, to: Infinity },
] as const;

/** Asks for the newest n8n of the registry, which is not pinned. */
export const NEWEST = 'newest';

export const PINNED: string[] = N8N_VERSIONS.map(({ version }) => version);

export const N8N_CHOICES = [...PINNED, NEWEST];

/** The option for one of them. */
export const n8nOption = () =>
	new Option('--n8n <VERSION>', `the n8n to use; chosen by the version of Node without it. ${NEWEST}: that of the registry, without a lock`).choices(N8N_CHOICES);

/** An n8n for a machine. */
export interface Choice {
	version: string;
	/** Whether it runs on a Node 24 of its own. */
	bringNode24: boolean;
}

/** Which n8n to use on which Node. @param nodeVersion of the running Node, such as `22.12.0` @param asked the version that the user asked for, or `newest` */
export function runtimeFor(nodeVersion: string, asked?: string, canBringNode24 = false): Choice {
	const major = parseInt(nodeVersion, 10);
	const version = asked ?? N8N_VERSIONS.filter(({ from }) => major >= from).at(-1)!.version;
	const pinned = N8N_VERSIONS.find((each) => each.version === version) ?? N8N_VERSIONS.at(-1)!;
	if (asked === undefined || (major >= pinned.from && major <= pinned.to)) return { version, bringNode24: false };
	if (major < pinned.from && canBringNode24) return { version, bringNode24: true };
	const range = pinned.to === Infinity ? `Node ${pinned.from} or newer` : `Node ${pinned.from} to ${pinned.to}`;
	throw new Failure(
		`n8n ${version} needs ${range}, and this is Node ${nodeVersion}. ` +
			'Run the command with that version of Node, or choose another n8n version with --n8n.',
	);
}

/** Its dependencies are the versions of n8n-core. */
export const LINES_FOLDER = path.join(ROOT, 'runtimes', 'n8n-core');
const manifest = readFileSync(path.join(LINES_FOLDER, 'package.json'), 'utf8');
const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };

/** The versions of n8n whose n8n-core the tests can run in, beside the project's own; the newest last. */
export const N8N_LINES = Object.keys(dependencies).map((name) => name.replace('n8n-', ''));

/** Asks for all of them. */
export const ALL_LINES = 'all';

/** The lines that an option asks for. */
export const linesOf = (asked: string[]): string[] => (asked.includes(ALL_LINES) ? N8N_LINES : asked);
