const MANUAL = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

interface Chain<N extends { name: string }> {
	id: string;
	name: string;
	/** By hand unless told. */
	start?: { name: string };
	nodes: N[];
	settings?: object;
}

/** A workflow that runs nodes one after the other, in the form that n8n imports. */
export function chainNodes<N extends { name: string }>({ id, name, start = MANUAL, nodes, settings }: Chain<N>) {
	const allNodes = [start, ...nodes];
	return {
		id,
		name,
		nodes: allNodes.map((node, index) => ({ id: `${index}`, position: [index * 220, 0], ...node })),
		connections: Object.fromEntries(
			nodes.map((node, index) => {
				return [allNodes[index]!.name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }];
			}),
		),
		settings: { executionOrder: 'v1', ...settings },
		active: false,
	};
}

/** A webhook that is called by POST, and replies with all items of the last node. */
export function createWebhook(path: string) {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' },
	};
}
