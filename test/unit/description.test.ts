import type { INodeProperties } from 'n8n-workflow';

import { getDssGateway } from '../../nodes/VoiceAdmin/operations/dssGateway/get';
import type { Operation } from '../../nodes/VoiceAdmin/operations/operation';
import { noticeFields } from '../../nodes/VoiceAdmin/operations/noticeFields';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';

const { description } = new VoiceAdmin();

describe('the public contract', () => {
	test('has the names of the node that saved workflows refer to', () => {
		expect(description).toMatchObject({
			name: 'voiceAdmin',
			displayName: 'Voice Admin',
			version: 1,
			usableAsTool: true,
		});
		expect(description.credentials).toEqual([{ name: 'voiceAdminApi', required: true, testedBy: 'testVoiceAdminApi' }]);
	});

	test('has no property with an expression, because n8n would evaluate it for every item', () => {
		expect(JSON.stringify(description.properties)).not.toContain('"=');
	});
});

test('an error names a gateway, with its organization where one was sent', () => {
	expect(getDssGateway.label!({ gatewayId: '1' })).toBe('gateway 1');
	expect(getDssGateway.label!({ gatewayId: '1', organizationId: '20' })).toBe('gateway 1 of organization 20');
});

test('an operation with a notice shows one in a workflow, and another one where the node is a tool', () => {
	const notice = { name: 'notice', type: 'notice', default: '' };
	expect(noticeFields({ notice: { workflow: 'It costs money.', agent: 'It costs a lot.' } } as Operation)).toEqual([
		{ ...notice, displayName: 'It costs money.', displayOptions: { show: { '@tool': [false] } } },
		{
			...notice,
			displayName:
				'It costs a lot. A model decides when to call this tool. Require human approval for each call: add a human review step between the agent and this tool. Use an agent of version 3: older ones tell their model nothing of an error.',
			displayOptions: { show: { '@tool': [true] } },
		},
	]);
	expect(noticeFields({} as Operation)).toEqual([]);
});

test('the node has no number that is sent when its field was forgotten', () => {
	const fieldsOf = (property: INodeProperties) =>
		property.type === 'collection' ? (property.options as INodeProperties[]) : [];
	const numbers = description.properties
		.flatMap((property) => [property, ...fieldsOf(property)])
		.filter(({ type }) => type === 'number');
	const preset = numbers.filter(({ default: value }) => value !== null).map(({ name }) => name);
	expect([...new Set(preset)]).toEqual(['maxConcurrency', 'maxRetries', 'maxWait', 'timeout']);
});

test('the node allows expressions in every field of an operation, and so values of a model', () => {
	const closed = description.properties.filter(({ noDataExpression }) => noDataExpression).map(({ name }) => name);
	// By an expression the last one would show both of its fields.
	expect([...new Set(closed)].sort()).toEqual(['operation', 'resource', 'specifyOtherFields']);
});
