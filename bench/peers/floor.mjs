/**
 * n8n's floor, of n8n-nodes-bench-floor: what a node can reach at best. Nobody would take it, as it has
 * neither a credential nor expressions.
 * @type {import('./index.mjs').Peer}
 */
export const floor = {
	name: "n8n's floor",
	node: (operation, { url, token }) => ({
		type: 'n8n-nodes-bench-floor.floor',
		typeVersion: 1,
		parameters: { operation, url, token },
	}),
};
