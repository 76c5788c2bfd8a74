import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation';

/** On a tool error, n8n's agents may end the run (version 3 in n8n 2.8) or tell the model nothing (before version 3). */
const CONTINUE_ON_ERROR =
	"In this tool's Settings, set On Error to Continue: otherwise the model may not be told what went wrong";

const ADVICE_FOR_AGENTS = `A model decides when to call this tool. Require human approval for each call: add a human review step between the agent and this tool. ${CONTINUE_ON_ERROR}.`;

/**
 * Notices above an operation's fields, for those who build a workflow or an agent: neither the service nor a model sees them. (n8n shows
 * node hints beside the input or output only.)
 */
export function noticeFields({ notice }: Operation): INodeProperties[] {
	if (!notice) return [];
	return [noticeField(notice.workflow, false), noticeField(`${ADVICE_FOR_AGENTS} ${notice.agent}`, true)];
}

function noticeField(displayName: string, isTool: boolean): INodeProperties {
	return { displayName, name: 'notice', type: 'notice', default: '', displayOptions: { show: { '@tool': [isTool] } } };
}
