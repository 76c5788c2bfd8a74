const BY_HAND = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

/**
 * A workflow that runs nodes one after the other, in the form that n8n imports.
 * @param {{ id: string, name: string, start?: { name: string } & object, nodes: object[], settings?: object }} content
 *   start: by hand unless told; nodes: each with the fields of n8n's own export but for id and position
 */
export function chain({ id, name, start = BY_HAND, nodes, settings }) {
	const all = [start, ...nodes];
	return {
		id,
		name,
		nodes: all.map((node, index) => ({ id: `${index}`, position: [index * 220, 0], ...node })),
		connections: Object.fromEntries(all.slice(1).map((node, index) => [all[index].name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }])),
		settings: { executionOrder: 'v1', ...settings },
		active: false,
	};
}

/**
 * A webhook that is called by POST, and replies with all items of the last node.
 * @param {string} path
 */
export function webhook(path) {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' },
	};
}

/**
 * Nodes that give an item for each row.
 * @param {object[]} rows
 */
export function itemsOf(rows) {
	return [
		{ name: 'Rows', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput: JSON.stringify({ row: rows }) } },
		{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'row' } },
	];
}
