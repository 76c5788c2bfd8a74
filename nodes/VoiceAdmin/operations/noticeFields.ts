import type { Field, Operation } from './operation';

const NOTICE = { name: 'notice', type: 'notice', default: '' } as const;

/** On a tool error, n8n's agents may end the run (version 3 in n8n 2.8) or tell the model nothing (before version 3). */
const CONTINUE_ON_ERROR =
	"In this tool's Settings, set On Error to Continue: otherwise the model may not be told what went wrong";

/**
 * Notices above an operation's fields, for those who build a workflow or an agent: neither the service nor a model sees them. (n8n shows
 * node hints beside the input or output only.)
 */
export function noticeFields({ notice }: Operation): Field[] {
	if (!notice) return [];
	return [
		{ ...NOTICE, displayName: notice.workflow, displayOptions: { show: { '@tool': [false] } } },
		{ ...NOTICE, displayName: `${notice.agent}. ${CONTINUE_ON_ERROR}.`, displayOptions: { show: { '@tool': [true] } } },
	];
}
