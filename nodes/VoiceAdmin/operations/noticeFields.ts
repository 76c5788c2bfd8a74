import type { Field, Operation } from './operation';

const NOTICE = { name: 'notice', type: 'notice', default: '' } as const;

/** At a tool's error, n8n's agents may end the run (version 3 in n8n 2.8) or tell the model nothing (before version 3). */
const CONTINUE_ON_ERROR =
	"In this tool's Settings, set On Error to Continue: otherwise the model may not be told what went wrong";

/**
 * Lines above an operation's fields that say what is at stake, for whoever builds a workflow or gives the node to
 * an agent. A notice has no value: neither the service nor a model gets to see it. (n8n's hints for nodes are shown
 * beside the input or the output.)
 */
export function noticeFields({ notice }: Operation): Field[] {
	if (!notice) return [];
	return [
		{ ...NOTICE, displayName: notice.workflow, displayOptions: { show: { '@tool': [false] } } },
		{ ...NOTICE, displayName: `${notice.agent}. ${CONTINUE_ON_ERROR}.`, displayOptions: { show: { '@tool': [true] } } },
	];
}
