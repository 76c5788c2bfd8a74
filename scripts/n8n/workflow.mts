/** A node, with fields of n8n's own export, of which chain adds id and position. */
export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: object;
	credentials?: Record<string, { id: string; name: string }>;
}

const BY_HAND = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

interface Chain<N extends { name: string }> {
	id: string;
	name: string;
	/** By hand unless told. */
	start?: { name: string };
	nodes: N[];
	settings?: object;
}

/** A workflow that runs nodes one after the other, in the form that n8n imports. */
export function chain<N extends { name: string }>({ id, name, start = BY_HAND, nodes, settings }: Chain<N>) {
	const all = [start, ...nodes];
	return {
		id,
		name,
		nodes: all.map((node, index) => ({ id: `${index}`, position: [index * 220, 0], ...node })),
		connections: Object.fromEntries(
			nodes.map((node, index) => {
				return [all[index]!.name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }];
			}),
		),
		settings: { executionOrder: 'v1', ...settings },
		active: false,
	};
}

/** A webhook that is called by POST, and replies with all items of the last node. */
export function webhook(path: string) {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' },
	};
}

/** Calls a webhook with JSON, or with the fields of a form. A caller who is told to stop waiting gets an error. */
export async function callWebhook(
	url: string,
	body: object,
	signal?: AbortSignal,
): Promise<{ status: number; body: unknown }> {
	const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
	const response = await fetch(url, {
		method: 'POST',
		...(body instanceof FormData ? { body } : json),
		...(signal && { signal }),
	});
	return { status: response.status, body: await response.json() };
}

/** Nodes that give an item for each row. */
export function itemsOf(rows: object[]): WorkflowNode[] {
	return [
		{
			name: 'Rows',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ row: rows }) },
		},
		{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'row' } },
	];
}
