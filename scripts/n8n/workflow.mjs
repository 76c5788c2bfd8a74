/**
 * A workflow that starts by hand and runs nodes one after the other, in the form that n8n imports.
 * @param {{ id: string, name: string, nodes: object[], settings?: object }} content nodes: each with the fields of
 *   n8n's own export but for id and position
 */
export function chain({ id, name, nodes, settings }) {
	const all = [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }, ...nodes];
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
 * Nodes that give an item for each row.
 * @param {object[]} rows
 */
export function itemsOf(rows) {
	return [
		{ name: 'Rows', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput: JSON.stringify({ row: rows }) } },
		{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'row' } },
	];
}
