import { Failure } from './failure.mjs';

/** The pinned versions of n8n, each with the Node majors that it runs on; the newest last. */
export const N8N_VERSIONS = [
	{ version: '2.8.4', from: 20, to: 24 },
	{ version: '2.40.7', from: 24, to: Infinity },
];

/** Asks for the newest n8n of the registry, which is not pinned. */
export const NEWEST = 'newest';

/**
 * Which n8n to use on which Node.
 * @param {string} nodeVersion of the Node at hand, such as `22.12.0`
 * @param {{ asked?: string, canBringNode24?: boolean }} [wish] asked: the version that the user asked for, or `newest`
 * @returns {{ version: string, bringNode24: boolean }}
 */
export function runtimeFor(nodeVersion, { asked, canBringNode24 = false } = {}) {
	const major = Number(nodeVersion.replace(/^v/, '').split('.')[0]);
	if (asked === undefined) {
		return { version: major >= 24 ? '2.40.7' : '2.8.4', bringNode24: false };
	}
	const pinned = N8N_VERSIONS.find(({ version }) => version === asked) ?? (asked === NEWEST && { ...N8N_VERSIONS.at(-1), version: NEWEST });
	if (!pinned) {
		const known = N8N_VERSIONS.map(({ version }) => version).join(' and ');
		throw new Failure(`n8n ${asked} is not one of the versions that this project has pinned: ${known}.`);
	}
	if (major >= pinned.from && major <= pinned.to) return { version: asked, bringNode24: false };
	if (major < pinned.from && canBringNode24) return { version: asked, bringNode24: true };
	const range = pinned.to === Infinity ? `Node ${pinned.from} or newer` : `Node ${pinned.from} to ${pinned.to}`;
	throw new Failure(`n8n ${asked} needs ${range}, and this is Node ${nodeVersion}. Run the command with such a Node, or for another version by --n8n.`);
}
