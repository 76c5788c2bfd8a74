import { type INodeParameters, type INodeProperties, type INodeType, Workflow } from 'n8n-workflow';

import { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';
import { settingsOf } from '../../nodes/VoiceAdmin/transport/settings';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { everyOperation } from '../support/everyOperation';

const { description } = new VoiceAdmin();

/** All strings of a description, with those of routing functions left out. */
function strings(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(strings);
}

function named(properties: INodeProperties[], name: string): INodeProperties {
	return properties.find((property) => property.name === name)!;
}

describe('the public contract', () => {
	test('the node is what saved workflows know it as', () => {
		expect(description).toMatchObject({ name: 'voiceAdmin', displayName: 'Voice Admin', version: 1, usableAsTool: true });
		expect(description.credentials).toEqual([{ name: 'voiceAdminApi', required: true, testedBy: 'testVoiceAdminApi' }]);
	});

	test.each([
		['dssTrunk', 'setPremium', ['idTrunk', 'iso', 'additionalFields', 'options']],
		['dssGateway', 'get', ['gatewayId', 'organizationId', 'options']],
		['customer', 'add', ['vatNumber', 'otherFields', 'options']],
	])('%s has %s with its parameters', (resource, operation, parameters) => {
		const shown = description.properties.filter(
			({ type, displayOptions }) =>
				type !== 'notice' &&
				displayOptions?.show?.resource?.includes(resource) &&
				displayOptions.show.operation?.includes(operation) &&
				displayOptions.show['@tool']?.[0] !== true,
		);
		expect(shown.map(({ name }) => name)).toEqual(parameters);
	});

	test('the options shown have the bounds and defaults that hold', () => {
		for (const { resource, operation, fields } of everyOperation()) {
			const options = named(fields, 'options').options as INodeProperties[];
			const { maxConcurrency, maxRetries } = settingsOf(() => ({}));
			expect(named(options, 'maxConcurrency').default).toBe(maxConcurrency);
			expect(named(options, 'maxRetries').default).toBe(maxRetries);
			expect(named(options, 'maxConcurrency').typeOptions).toMatchObject({ minValue: 1, maxValue: 500 });
			expect(named(options, 'maxRetries').typeOptions).toMatchObject({ minValue: 0, maxValue: 10 });
			expect([resource, operation, options.some(({ name }) => name === 'validateVatNumber')]).toEqual([resource, operation, resource === 'customer']);
		}
	});

	test('the credential has its fields and defaults', () => {
		const { name, displayName, properties } = new VoiceAdminApi();
		expect([name, displayName]).toEqual(['voiceAdminApi', 'Voice Admin API']);
		expect(Object.fromEntries(properties.map((property) => [property.name, property.default]))).toEqual({
			environment: 'production',
			baseUrl: '',
			stagingUrl: '',
			clientId: '',
			clientSecret: '',
			authHeaderName: 'Authorization',
			authHeaderPrefix: 'Bearer',
			allowUnauthorizedCerts: false,
			accessToken: '',
			accessTokenFor: '',
			usesExpressions: expect.stringMatching(/^=\{\{.*\}\}$/),
		});
		expect(named(properties, 'accessToken').type).toBe('hidden');
	});

	test('key and token are masked, and nothing else: n8n 2.8 cannot open a credential with a masked boolean', () => {
		const { properties } = new VoiceAdminApi();
		expect(Object.fromEntries(properties.map(({ name, typeOptions }) => [name, typeOptions]))).toEqual({
			clientSecret: { password: true },
			accessToken: { expirable: true, password: true },
			accessTokenFor: { password: true },
		});
	});

	test('no property holds an expression, because n8n would evaluate it for every item', () => {
		expect(strings(description.properties).filter((text) => text.startsWith('='))).toEqual([]);
	});
});

describe('as a tool', () => {
	test.each(everyOperation().map((each) => [`${each.resource}: ${each.operation}`, each] as const))('%s tells a model what it does, in words of its own', (_, { fields }) => {
		const told = fields.filter(({ name }) => name === 'toolDescription');
		expect(told).toHaveLength(1);
		expect(String(told[0]!.default).length).toBeGreaterThan(40);
		expect(told[0]!.displayOptions?.show?.['@tool']).toEqual([true]);
	});
});

describe('the node as n8n takes it', () => {
	test('is declarative, though it has methods: or else it could not be cancelled, nor be a tool of an agent before version 3', () => {
		expect(description.requestDefaults).toEqual({});
	});

	test('changes nothing where nobody has chosen an operation', () => {
		expect(named(description.properties, 'resource').default).toBe('dssGateway');
		expect(named(description.properties, 'operation').options).toBeDefined();
		const [get] = description.properties.find(({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.includes('dssGateway'))!.options as Array<{ routing: { request: object } }>;
		expect(get?.routing.request).toMatchObject({ method: 'GET' });
	});

	test('has no number that is sent when its field was forgotten', () => {
		const numbers = description.properties.flatMap((property) => [property, ...((property.type === 'collection' ? property.options : []) as INodeProperties[])]).filter(({ type }) => type === 'number');
		expect(Object.fromEntries(numbers.map(({ name, default: initial }) => [name, initial]))).toEqual({ idTrunk: null, organizationId: null, sbcId: null, maxConcurrency: 200, maxRetries: 3 });
	});

	test('leaves every field of an operation open to expressions, and so to a model', () => {
		const closed = description.properties.filter(({ noDataExpression }) => noDataExpression).map(({ name }) => name);
		expect([...new Set(closed)].sort()).toEqual(['operation', 'resource']);
	});

	test.each([
		[{ resource: 'dssTrunk', operation: 'setPremium' }, 'Set Premium: VoIP DSS Trunk'],
		[{ resource: 'dssGateway', operation: 'get' }, 'Get: VoIP DSS Gateway'],
		[{ resource: 'customer', operation: 'add' }, 'Add: Customer'],
		// By this n8n knows the call of which it shows no subtitle.
		[{ resource: 'customer', operation: '__CUSTOM_API_CALL__' }, '__CUSTOM_API_CALL__: Customer'],
	])('shows on the canvas what %j is by its names', (parameters, shown) => {
		expect(subtitleFor(parameters)).toBe(shown);
	});
});

/** The subtitle as n8n's editor evaluates it. */
function subtitleFor(parameters: INodeParameters): unknown {
	const type: INodeType = new VoiceAdmin();
	const node = { id: '1', name: 'Node', type: 'voiceAdmin', typeVersion: 1, position: [0, 0] as [number, number], parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) } });
	return workflow.expression.getSimpleParameterValue({ ...node, parameters }, description.subtitle, 'internal', {});
}
