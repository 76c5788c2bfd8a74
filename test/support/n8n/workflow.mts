/** A node, with fields of n8n's own export, of which chain adds id and position. */
export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: object;
	credentials?: Record<string, { id: string; name: string }>;
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
