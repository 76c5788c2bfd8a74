import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation';

/** n8n offers no On Error for a tool. */
const ADVICE_FOR_AGENTS =
	'A model decides when to call this tool. Require human approval for each call: add a human review step between the agent and this tool. Use an agent of version 3: older ones tell their model nothing of an error.';

/**
 * Notices above an operation's fields, for those who build a workflow or an agent: neither the service nor a model sees them. (n8n shows
 * node hints beside the input or output only.)
 */
export function noticeFields({ notice }: Operation): INodeProperties[] {
	if (!notice) return [];
	return [noticeField(notice.workflow, false), noticeField(`${notice.agent} ${ADVICE_FOR_AGENTS}`, true)];
}

function noticeField(displayName: string, isTool: boolean): INodeProperties {
	return { displayName, name: 'notice', type: 'notice', default: '', displayOptions: { show: { '@tool': [isTool] } } };
}
