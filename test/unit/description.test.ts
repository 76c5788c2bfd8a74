import type { INodeProperties } from 'n8n-workflow';

import { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';
import { getDssGateway } from '../../nodes/VoiceAdmin/operations/dssGateway/get';
import type { Operation } from '../../nodes/VoiceAdmin/operations/operation';
import { noticeFields } from '../../nodes/VoiceAdmin/operations/noticeFields';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';
import { everyOperation } from '../support/everyOperation';

const { description } = new VoiceAdmin();

function named(properties: INodeProperties[], name: string): INodeProperties {
	return properties.find((property) => property.name === name)!;
}

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

	test('has options of its own for the trigger, and no dry run', () => {
		const options = named(new VoiceAdminTrigger().description.properties, 'options').options as INodeProperties[];
		expect(options.map(({ name, default: preset }) => [name, preset])).toEqual([
			['emitOnFirstPoll', false],
			['maxConcurrency', 200],
			['maxRetries', 3],
		]);
	});

	test('has the fields of the credential, and only key and token masked: n8n 2.8 opens none with a masked boolean', () => {
		const { name, displayName, properties } = new VoiceAdminApi();
		expect([name, displayName]).toEqual(['voiceAdminApi', 'Voice Admin API']);
		expect(properties.map((property) => [property.name, property.default, property.typeOptions])).toEqual([
			['environment', 'production', undefined],
			['baseUrl', '', undefined],
			['stagingUrl', '', undefined],
			['clientId', '', undefined],
			['clientSecret', '', { password: true }],
			['authHeaderName', 'Authorization', undefined],
			['authHeaderPrefix', 'Bearer', undefined],
			['allowUnauthorizedCerts', false, undefined],
			['accessToken', '', { expirable: true, password: true }],
		]);
		expect(named(properties, 'accessToken').type).toBe('hidden');
	});

	test('has no property with an expression, because n8n would evaluate it for every item', () => {
		expect(JSON.stringify(description.properties)).not.toContain('"=');
	});
});

test.each(everyOperation())(
	'the tool description of $resource: $operation says what it does, and what each field means, each once',
	({ resource, operation, fields }) => {
		const [effect, ...lines] = String(named(fields, 'toolDescription').default).split('\n');
		expect(effect!.length).toBeGreaterThan(20);
		// An operation may have no fields.
		expect(lines.shift()).toBe(lines.length > 0 ? 'Fields:' : undefined);
		// Of an API's document, some names say all that is known.
		const isNameOnly = (line: string) => /^- [\w ]+ \((required|optional)\)(: Example: .+\.)?$/.test(line);
		const allFields = [
			...fields,
			...fields.flatMap(({ type, options }) => (type === 'collection' ? (options as INodeProperties[]) : [])),
		];
		const isOurs = ['customer add', 'dssGateway get', 'dssTrunk setPremium'].includes(`${resource} ${operation}`);
		const nameOnly = allFields
			.filter(({ description }) => !isOurs && description === undefined)
			.map(({ displayName }) => `- ${displayName} (`);
		for (const line of lines.filter((each) => !isNameOnly(each) || !nameOnly.some((start) => each.startsWith(start))))
			expect(line).toMatch(/^- [\w ]+ \((required|optional)\): (?!Example: )["+\w].+\.$/);
		expect(new Set(lines.map((line) => line.split(':')[0])).size).toBe(lines.length);
	},
);

test('an error names a gateway, with its organization where one was sent', () => {
	expect(getDssGateway.label!({ gatewayId: '1' })).toBe('gateway 1');
	expect(getDssGateway.label!({ gatewayId: '1', organizationId: '20' })).toBe('gateway 1 of organization 20');
});

test('an operation with a notice shows one in a workflow, and another one where the node is a tool', () => {
	const notice = { name: 'notice', type: 'notice', default: '' };
	expect(noticeFields({ notice: { workflow: 'It costs money.', agent: 'A model decides' } } as Operation)).toEqual([
		{ ...notice, displayName: 'It costs money.', displayOptions: { show: { '@tool': [false] } } },
		{
			...notice,
			displayName:
				"A model decides. In this tool's Settings, set On Error to Continue: otherwise the model may not be told what went wrong.",
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
