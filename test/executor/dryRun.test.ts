import type { INodeParameters } from 'n8n-workflow';
import {
	addCustomer,
	credentialFor,
	execute,
	type Execution,
	json,
	MODES,
	RECORDED_TOKEN,
	type Recorder,
	setPremium,
	startService,
} from '../support/executor';
import { everyOperation, parametersByPlaceholder } from '../support/everyOperation';

const SECRET = 'api-key-of-the-dry-run-3e9d';
const STORED_TOKEN = 'stored-token-of-the-dry-run-7a20';

let service: Recorder;

beforeEach(async () => {
	service = await startService((_request, response) => json(response, 200, { id: '1' }));
});

const credential = () =>
	credentialFor(service.url, { clientId: 'client-of-the-dry-run', clientSecret: SECRET, accessToken: STORED_TOKEN });

const withOptions = (parameters: INodeParameters, options: object) =>
	({ ...parameters, options: { ...(parameters.options as object), ...options } }) as INodeParameters;
const run = async (parameters: INodeParameters, dryRun: unknown, more: Partial<Execution> = {}) =>
	await execute({ parameters: withOptions(parameters, { dryRun }), credential: credential(), ...more });

const expectNothingSent = () => expect([service.requests, service.logins]).toEqual([[], []]);

interface ShownRequest {
	method: string;
	url: string;
	body?: unknown;
}

const ODD_FIELDS = '{"piva":"12345678903","__proto__":{"x":1},"a.b":[null,{"c":1.5}],"":"è"}';

/** Every operation by its placeholders, so that a new one is covered, and requests that are harder to show. */
const RUNS: Array<[string, INodeParameters]> = [
	...everyOperation().map((described): [string, INodeParameters] => [
		`${described.resource}: ${described.operation}`,
		parametersByPlaceholder(described),
	]),
	[
		'several countries',
		setPremium('1001', 'it, FR,276', { additionalFields: { organizationId: 10, premiumAvailable: 'yes' } }),
	],
	['fields with odd names', addCustomer('', { otherFields: ODD_FIELDS })],
];

test.each(RUNS)(
	'%s: a dry run shows what is sent without it, in order, without a secret, and sends nothing',
	async (_name, parameters) => {
		const { output, error, run: execution } = await run(parameters, true);
		expectNothingSent();
		expect(error).toBeUndefined();
		const shown = output.map((item) => item.json.request as unknown as ShownRequest);
		const key =
			parameters.resource === 'customer' && parameters.operation === 'add' ? { key: expect.any(String) as string } : {};
		expect(output).toEqual(
			shown.map((request) => ({ json: { dryRun: true, ...key, request }, pairedItem: { item: 0 } })),
		);
		// One after the other, so that they arrive in order.
		const sent = await run(withOptions(parameters, { maxConcurrency: 1 }), false);
		expect(sent.error).toBeUndefined();
		expect(shown.map(({ method, url, body }) => [method, url, body === undefined ? '' : JSON.stringify(body)])).toEqual(
			service.requests.map(({ method, target, body }) => [method, service.url + target, body]),
		);
		expect(service.requests.length).toBeGreaterThan(0);
		// Once more, as the process has a token for the key by now.
		const again = await run(parameters, true);
		const everything = JSON.stringify([execution.data.resultData.runData, again.run.data.resultData.runData]);
		for (const secret of [SECRET, STORED_TOKEN, RECORDED_TOKEN, 'Bearer', 'client-of-the-dry-run'])
			expect(everything).not.toContain(secret);
	},
);

const NO_DETAILS = "The service gave no details.\nThe request wasn't carried out: trunk 1001, country IT.";

test.each(MODES)(
	'an error that stops a run counts no item of a dry run as done, in an execution of mode %s',
	async (mode) => {
		service = await startService((_request, response) => json(response, 400, { message: 'No', errors: '' }));
		const items = [{ isDry: true }, { isDry: false }];
		const { error } = await run(setPremium(1001, 'IT'), '={{ $json.isDry }}', { items, mode });
		expect(error).toMatchObject({ context: { itemIndex: 1 }, description: NO_DETAILS });
		expect(service.requests).toHaveLength(1);
	},
);
