import { Readable } from 'node:stream';

import { Workflow } from 'n8n-workflow';

import { type BuildItem, executeItems, type RunInput } from '../../nodes/VoiceAdmin/execution/executeItems';
import { RunHistory } from '../../nodes/VoiceAdmin/execution/history/runHistory';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import {
	contextOf,
	credentialFor,
	CredentialStore,
	json,
	nodeOf,
	nodeTypesOf,
	startService,
} from '../support/executor';

const NODE = nodeOf('Voice Admin', 'voiceAdmin');

const createCustomer: BuildItem = () => ({
	requests: [{ method: 'POST', path: '/v1/customers/add', fields: {}, creates: 'customer with VAT number C0' }],
	options: { maxConcurrency: 1, maxRetries: 0, maxWait: 0, timeout: 60, dryRun: false },
});

/** A run whose items are built as told, of a service that takes everything. @param given in place of what n8n's context has */
async function runOf(
	itemCount: number,
	buildItem: BuildItem,
	given: (n8nContext: ReturnType<typeof contextOf>) => object = () => ({}),
	body: unknown = {},
) {
	const service = await startService((_request, response) => json(response, 200, body));
	const workflow = new Workflow({
		nodes: [NODE],
		connections: {},
		active: false,
		nodeTypes: nodeTypesOf({ [NODE.type]: new VoiceAdmin() }),
	});
	const n8nContext = contextOf(workflow, NODE, new CredentialStore(credentialFor(service.url)), 'trigger');
	const values = { continueOnFail: () => false, getExecutionCancelSignal: () => undefined, ...given(n8nContext) };
	const context: RunInput['context'] = Object.create(
		n8nContext,
		Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
	);
	const hints: string[] = [];
	const items = Array.from({ length: itemCount }, () => ({ json: {} }));
	const addHint: RunInput['addHint'] = ({ message }) => void hints.push(message);
	const output = await executeItems(
		{ context, items, readParameter: () => undefined, history: new RunHistory({}, {}, '0'), addHint },
		buildItem,
	);
	return { output, hints, service };
}

test('an error that nobody foresaw, once a request may have been sent, has an unknown outcome, and names the customer', async () => {
	// What n8n's helper never gives, and nothing here is prepared for.
	const headers = Object.defineProperty({}, 'retry-after', {
		get: () => {
			throw new Error('unforeseen');
		},
	});
	const httpRequestWithAuthentication = async () =>
		await Promise.resolve({ statusCode: 429, headers, body: Readable.from([]) });
	const { output, service } = await runOf(2, createCustomer, ({ helpers }) => ({
		helpers: { ...helpers, httpRequestWithAuthentication },
		continueOnFail: () => true,
	}));
	const message = 'unforeseen. The customer with VAT number C0 may already exist';
	const unforeseen = { message, code: 'invalid_response', outcome: 'unknown' };
	expect(output.map((item) => item.json.error)).toMatchObject([unforeseen, unforeseen]);
	// Up to then all was well.
	expect(service.logins).toHaveLength(1);
});

test('a run that is canceled while its last item is validated sends nothing', async () => {
	const controller = new AbortController();
	const cancelAndCreate: BuildItem = (read) => {
		controller.abort();
		return createCustomer(read);
	};
	const { output, service } = await runOf(1, cancelAndCreate, () => ({
		getExecutionCancelSignal: () => controller.signal,
	}));
	expect([output, service.requests]).toEqual([[], []]);
});

test('a run of which some items are only a dry run says so', async () => {
	let count = 0;
	const { hints, service } = await runOf(2, (read) => {
		const item = createCustomer(read);
		return { ...item, options: { ...item.options, dryRun: count++ === 0 } };
	});
	expect([hints, service.requests.length]).toEqual([
		[expect.stringMatching(/^Items with Dry Run on were not sent/)],
		1,
	]);
});

test.each<[string, unknown, object[]]>([
	['whose result is a list gives no items', Array.isArray, []],
	['of another one says that it is done', undefined, [{ json: { success: true }, pairedItem: { item: 0 } }]],
])('an empty list in the response to a POST %s', async (_, isResult, expected) => {
	const { output } = await runOf(
		1,
		(read) => {
			const { requests, options } = createCustomer(read);
			return { requests: [{ ...requests[0]!, creates: undefined, isResult: isResult as never }], options };
		},
		undefined,
		[],
	);
	expect(output).toEqual(expected);
});
