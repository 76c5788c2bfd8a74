import type { INode } from 'n8n-workflow';

import type { Failure } from '../../nodes/VoiceAdmin/transport/failure';
import { toNodeApiError } from '../../nodes/VoiceAdmin/transport/toNodeApiError';
import { nodeOf } from '../support/executor';

const NODE = nodeOf('Voice Admin', 'voiceAdmin');
const TOOL: INode = { ...NODE, type: `${NODE.type}Tool` };
const failure = (more: Partial<Failure> = {}): Failure => ({
	message: 'The disk is full',
	description: 'Try again later',
	code: 'service_error',
	outcome: 'unknown',
	...more,
});

test.each<[string, INode, Failure, object]>([
	[
		'of a node',
		NODE,
		failure({ status: 500 }),
		{ message: 'The disk is full', description: 'Try again later', httpCode: '500' },
	],
	['without a status', NODE, failure(), { httpCode: null }],
	[
		'without a description',
		NODE,
		failure({ description: '' }),
		{ message: 'The disk is full', description: undefined },
	],
	[
		"of an agent's tool, whose model reads only the message",
		TOOL,
		failure(),
		{ message: 'The disk is full\n\nTry again later', description: 'Try again later' },
	],
	['of a tool, without a description', TOOL, failure({ description: '' }), { message: 'The disk is full' }],
	[
		'with a code that n8n would put its own message for',
		NODE,
		failure({ message: 'No: EPERM' }),
		{ message: 'No: EPERM' },
	],
])("n8n's error %s", (_what, node, given, expected) => {
	const error = toNodeApiError(node, given, 3);
	expect(error).toMatchObject({ ...expected, context: { code: 'service_error', outcome: 'unknown', itemIndex: 3 } });
});
