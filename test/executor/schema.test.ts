import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv';
import type { INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { everyOperation, everyParameter, parametersByPlaceholder } from '../support/everyOperation';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, setPremium } from '../support/operations';

const ajv = new Ajv({ allErrors: true });
// n8n's own: of the schema, not of the API.
ajv.addKeyword('version');

/** n8n's schema of an operation of version 1 of the node. */
function schemaOf(resource: string, operation: string): { properties: Record<string, { type?: string | string[] }> } {
	const file = join(__dirname, '../../nodes/VoiceAdmin/__schema__/v1.0.0', resource, `${operation}.json`);
	return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof schemaOf>;
}

const OPERATIONS = everyOperation();

/** Runs that give every form of an operation's output, where the placeholders alone do not. */
const RUNS: Record<string, INodeParameters[]> = {
	'dssTrunk setPremium': [setPremium(1001, 'IT, FR'), setPremium(1004, 'IT', { additionalFields: { organizationId: 10, premiumAvailable: 'yes', sbcId: 2 } })],
	// With a termination URI, without one, and with null; by itself and within an organization.
	'dssGateway get': [getGateway('1'), getGateway('2'), getGateway('3'), getGateway('5', { organizationId: '20' })],
	'customer add': [addCustomer('IT12345678903'), addCustomer('', { otherFields: { pIva: 'IT12345678903', name: 'Example S.p.A.' } })],
};

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());

describe.each(OPERATIONS)('the schema of $resource: $operation', (described) => {
	const { resource, operation } = described;
	const runs = RUNS[`${resource} ${operation}`] ?? [parametersByPlaceholder(described), everyParameter(described)];
	const schema = schemaOf(resource, operation);
	const validate = ajv.compile(schema);
	const outputs = async () => {
		const results = await Promise.all(runs.map(async (parameters) => await execute({ parameters, credential: credentialFor(sandbox.url) })));
		return results.flatMap(({ output }) => output.map(({ json }) => json));
	};

	test('matches the real output, and has no property that never occurs', async () => {
		const items = await outputs();
		expect(items.length).toBeGreaterThanOrEqual(runs.length);
		for (const item of items) {
			validate(item);
			expect({ item, errors: validate.errors }).toEqual({ item, errors: null });
		}
		const seen = new Set(items.flatMap((item) => Object.keys(item)));
		expect(Object.keys(schema.properties).filter((property) => !seen.has(property))).toEqual([]);
	});

	test('is strict: each property has a type', async () => {
		const [item] = await outputs();
		for (const property of Object.keys(schema.properties)) expect(`${property} as a list: ${validate({ ...item, [property]: [] })}`).toBe(`${property} as a list: false`);
	});

	test('is one that n8n shows: an object whose properties list their usual type first', () => {
		// n8n's editor (2.8 to 2.40) shows nothing without properties, and of several types the first.
		expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
		for (const { type } of Object.values(schema.properties)) expect([type].flat()[0]).toMatch(/^(string|integer|number|boolean)$/);
	});
});
