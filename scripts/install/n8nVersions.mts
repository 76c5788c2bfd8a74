import { Failure } from '../bootstrap/failure.mjs';

/** The pinned versions of n8n, each with the Node majors that it runs on; the newest last. */
export const N8N_VERSIONS = [
	{ version: '2.8.4', from: 20, to: 24 },
	{ version: '2.41.1', from: 24, to: Infinity },
] as const;

/** The option for one of them. */
export const N8N_VERSION = {
	type: 'string',
	value: 'VERSION',
	help: `${N8N_VERSIONS.map(({ version }) => version).join(' or ')}; chosen by the version of Node otherwise`,
} as const;

/** Asks for the newest n8n of the registry, which is not pinned. */
export const NEWEST = 'newest';

/** An n8n for a machine. */
export interface Choice {
	version: string;
	/** Whether it runs on a Node 24 of its own. */
	bringNode24: boolean;
}

/**
 * Which n8n to use on which Node.
 * @param nodeVersion of the running Node, such as `22.12.0`
 * @param wish asked: the version that the user asked for, or `newest`
 */
export function runtimeFor(nodeVersion: string, { asked, canBringNode24 = false }: { asked?: string | undefined; canBringNode24?: boolean } = {}): Choice {
	const major = parseInt(nodeVersion, 10);
	const version = asked ?? (major >= 24 ? '2.41.1' : '2.8.4');
	const pinned = version === NEWEST ? N8N_VERSIONS.at(-1) : N8N_VERSIONS.find((each) => each.version === version);
	if (!pinned) throw new Failure(`n8n ${version} is not one of the versions that this project has pinned: ${N8N_VERSIONS.map((each) => each.version).join(' and ')}.`);
	if (asked === undefined || (major >= pinned.from && major <= pinned.to)) return { version, bringNode24: false };
	if (major < pinned.from && canBringNode24) return { version, bringNode24: true };
	const range = pinned.to === Infinity ? `Node ${pinned.from} or newer` : `Node ${pinned.from} to ${pinned.to}`;
	throw new Failure(`n8n ${version} needs ${range}, and this is Node ${nodeVersion}. Run the command with that version of Node, or choose another n8n version with --n8n.`);
}
