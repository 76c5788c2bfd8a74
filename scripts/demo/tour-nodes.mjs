import { spaced } from '../n8n/outcome.mjs';

/** The id of examples/tour.json. */
export const TOUR_ID = 'voiceAdminTour01';

const OPERATIONS = {
	'dssTrunk:setPremium': 'VoIP DSS Trunk: Set Premium',
	'dssGateway:get': 'VoIP DSS Gateway: Get',
	'customer:add': 'Customer: Add',
};

/**
 * The nodes of a workflow that are ours, with operation and input in words.
 * @param {{ nodes: { name: string, type: string, parameters: object, credentials?: object }[] }} workflow
 * @returns {{ name: string, operation: string, input: string }[]}
 */
export function voiceAdminNodes(workflow) {
	return workflow.nodes
		.filter(({ type }) => type === 'n8n-nodes-voice-admin.voiceAdmin')
		.map(({ name, parameters, credentials }) => {
			const { resource, operation, ...fields } = parameters;
			const words = describeFields(fields);
			const credential = credentials?.voiceAdminApi?.name ?? '';
			if (credential.includes('read-only')) words.push('with a read-only key');
			return { name, operation: OPERATIONS[`${resource}:${operation}`] ?? `${resource}: ${operation}`, input: words.join('\n') };
		});
}

/** Fields as the user sees them set: collections taken apart, a country picker as its value, blanks left out. */
function describeFields(fields) {
	return Object.entries(fields).flatMap(([name, value]) => {
		if (value === '' || value === '{}') return [];
		if (value?.__rl) return [`${name}: ${value.cachedResultName ? `${value.cachedResultName} (from the list)` : plain(value.value)}`];
		if (typeof value === 'object') return describeFields(value);
		return [`${name}: ${plain(value)}`];
	});
}

function plain(value) {
	const text = String(value);
	const quoted = /^=\{\{ "(.*)" \}\}$/.exec(text);
	if (quoted) return quoted[1];
	return text.startsWith('{') ? spaced(JSON.parse(text)) : text;
}
