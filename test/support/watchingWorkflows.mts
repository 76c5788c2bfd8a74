/** What the workflows are about. */
export interface Watching {
	id: string;
	credential: { id: string; name: string };
	gatewayIds: string;
	/** Seconds of each minute at which it polls. */
	seconds: number[];
	/** Base address that what started the workflows is sent to, to /changes and /errors. */
	reportTo: string;
}

/** A workflow that starts when a gateway changes, and one for its errors; each reports what started it by HTTP. */
export function watchingWorkflows({ id, credential, gatewayIds, seconds, reportTo }: Watching): Array<{ id: string; settings: object }> {
	const trigger = {
		name: 'Voice Admin Trigger',
		type: 'n8n-nodes-voice-admin.voiceAdminTrigger',
		typeVersion: 1,
		parameters: {
			pollTimes: { item: seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })) },
			gatewayIds,
		},
		credentials: { voiceAdminApi: credential },
	};
	const errors = { name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger', typeVersion: 1, parameters: {} };
	return [
		reporting(`${id}-errors`, errors, `${reportTo}/errors`, '={{ JSON.stringify({ message: $json.trigger.error.message, description: $json.trigger.error.description, context: $json.trigger.error.context }) }}'),
		{ ...reporting(id, trigger, `${reportTo}/changes`, '={{ JSON.stringify($json) }}'), settings: { executionOrder: 'v1', errorWorkflow: `${id}-errors` } },
	];
}

/** A trigger, and a node that sends what it gives. */
function reporting(id: string, trigger: { name: string }, url: string, jsonBody: string) {
	const report = {
		name: 'Report',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody },
	};
	return {
		id,
		name: id,
		nodes: [trigger, report].map((node, index) => ({ id: `${id}-${index}`, position: [index * 220, 0], ...node })),
		connections: { [trigger.name]: { main: [[{ node: report.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
		active: false,
	};
}
