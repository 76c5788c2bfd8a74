import { startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { credentialFor } from '../support/executor/credentialStore';
import { everyOperation, parametersByPlaceholder } from '../support/everyOperation';
import { execute } from '../support/executor/execute';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

describe.each(everyOperation().map((each) => [`${each.resource}: ${each.operation}`, each] as const))('%s', (_, described) => {
	const run = async () => await execute({ parameters: parametersByPlaceholder(described), credential: credentialFor(sandbox.url) });

	test('works with the values of its placeholders, by requests that openapi.yaml describes', async () => {
		const { output, error } = await run();
		expect(error).toBeUndefined();
		expect(output.length).toBeGreaterThan(0);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(output.map(() => ({ item: 0 })));
		const requests = sandbox.requests().filter(({ operationId }) => operationId !== 'login');
		expect(requests).toHaveLength(output.length);
		for (const { operationId, status } of requests) expect([operationId, String(status)]).toEqual([expect.any(String), expect.stringMatching(/^2\d\d$/)]);
	});

	// A switch is off where nothing is given.
	const required = described.fields.filter(({ name, type, required: isRequired }) => isRequired && name !== 'toolDescription' && type !== 'boolean');

	(required.length > 0 || described.operation === 'add' ? test : test.skip)('fails for an empty item before anything is sent', async () => {
		const { resource, operation, ...filled } = parametersByPlaceholder(described);
		// From the item: n8n itself rejects a required field that is empty in the editor.
		const blank = Object.entries(filled).map(([name, value]) => [name, typeof value === 'object' ? { ...value, value: '={{ $json.nothing }}' } : '={{ $json.nothing }}']);
		const { error } = await execute({ parameters: { resource, operation, ...Object.fromEntries(blank) }, credential: credentialFor(sandbox.url) });
		expect(error?.message).toMatch(/^'.+' is required\. Enter /);
		expect(sandbox.requests()).toEqual([]);
	});
});
