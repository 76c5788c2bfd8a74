import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { INodeParameters } from 'n8n-workflow';
import { everyOperation, everyParameter, parametersByPlaceholder } from '../support/everyOperation';
import { run, sandbox } from '../support/executor/sandboxOfEachTest';
import { addCustomer, getGateway, setPremium } from '../support/operations';

const ajv = new Ajv({ allErrors: true });
// n8n's own: of the schema, not of the API.
ajv.addKeyword('version');

/** n8n's schema of an operation of version 1 of the node. */
function schemaOf(resource: string, operation: string): { properties: Record<string, { type?: string | string[] }> } {
	const file = join(__dirname, '../../nodes/VoiceAdmin/__schema__/v1.0.0', resource, `${operation}.json`);
	return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof schemaOf>;
}

const EVERY_FIELD = { organizationId: 10, premiumAvailable: 'yes', sbcId: 2 };

/** Runs that give every form of an operation's output, where the placeholders alone do not. */
const RUNS: Record<string, INodeParameters[]> = {
	'dssTrunk setPremium': [setPremium(1004, 'IT', { additionalFields: EVERY_FIELD })],
	// With a termination URI, without one, and with null; by itself and within an organization.
	'dssGateway get': [getGateway('1'), getGateway('2'), getGateway('3'), getGateway('5', { organizationId: '20' })],
	'customer add': [addCustomer('', { otherFields: { pIva: 'IT12345678903', name: 'Example S.p.A.' } })],
};

describe.each(everyOperation())('$resource: $operation', (described) => {
	const { resource, operation } = described;
	const schema = schemaOf(resource, operation);
	const validate = ajv.compile(schema);

	test('works with the values of its placeholders, by requests that openapi.yaml describes', async () => {
		const { output, error } = await run({ parameters: parametersByPlaceholder(described) });
		expect(error).toBeUndefined();
		expect(output.length).toBeGreaterThan(0);
		const requests = sandbox.getRequests().filter(({ operationId }) => operationId !== 'login');
		const isDescribed = requests.map(
			({ operationId, status }) => operationId !== undefined && /^2/.test(String(status)),
		);
		expect(isDescribed).toEqual(output.map(() => true));
	});

	// A switch is off where nothing is given; and where nothing is required, any item is good.
	const required = described.fields.filter(
		(field) => field.required && field.name !== 'toolDescription' && field.type !== 'boolean',
	);
	const testRequired = required.length > 0 || operation === 'add' ? test : test.skip;

	testRequired('fails for an empty item before anything is sent', async () => {
		const { resource: _resource, operation: _operation, ...filled } = parametersByPlaceholder(described);
		// From the item: n8n itself rejects a required field that is empty in the editor.
		const nothing = '={{ $json.nothing }}';
		const blank = Object.entries(filled).map(([name, value]) => [
			name,
			typeof value === 'object' ? { ...value, value: nothing } : nothing,
		]);
		const { error } = await run({ parameters: { resource, operation, ...Object.fromEntries(blank) } });
		expect(error?.message).toMatch(/^'.+' is required\. Enter /);
		expect(sandbox.getRequests()).toEqual([]);
	});

	test('has a schema for its real output, with a type for each property, and none that never occurs', async () => {
		const runs = [
			parametersByPlaceholder(described),
			...(RUNS[`${resource} ${operation}`] ?? [everyParameter(described)]),
		];
		const items = (await Promise.all(runs.map(async (parameters) => await run({ parameters })))).flatMap(({ output }) =>
			output.map(({ json }) => json),
		);
		expect(items.length).toBeGreaterThanOrEqual(runs.length);
		for (const item of items)
			expect({ item, isValid: validate(item), errors: validate.errors }).toEqual({ item, isValid: true, errors: null });
		const seen = new Set(items.flatMap((item) => Object.keys(item)));
		expect(Object.keys(schema.properties).filter((property) => !seen.has(property))).toEqual([]);
		const untyped = Object.keys(schema.properties).filter((property) => validate({ ...items[0], [property]: [] }));
		expect(untyped).toEqual([]);
	});

	test('has a schema that n8n shows: an object whose properties list their usual type first', () => {
		// n8n's editor (2.8 to 2.40) shows nothing without properties, and of several types the first.
		expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
		for (const { type } of Object.values(schema.properties))
			expect([type].flat()[0]).toMatch(/^(string|integer|number|boolean)$/);
	});
});
