import type { INodeProperties } from 'n8n-workflow';

/**
 * Lines above an operation's fields that say what is at stake: for whoever builds a workflow, and for whoever
 * gives the node to an agent.
 *
 * A notice among the parameters, and not one of n8n's hints for nodes, because those are shown beside the input
 * or the output. It has no value: neither the service nor a model gets to see it.
 */
export function notice(forWorkflows: string, forAgents: string): INodeProperties[] {
	return [
		{ ...NOTICE, displayName: forWorkflows, displayOptions: { show: { '@tool': [false] } } },
		{ ...NOTICE, displayName: `${forAgents}. ${TELL_THE_MODEL}`, displayOptions: { show: { '@tool': [true] } } },
	];
}

/** At a tool's error, n8n's agents may end the run (version 3 in n8n 2.8) or tell the model nothing (before version 3). */
const TELL_THE_MODEL =
	'In this tool\'s Settings, set On Error to Continue: otherwise the model may not be told what went wrong';

const NOTICE = { name: 'notice', type: 'notice', default: '' } as const;
