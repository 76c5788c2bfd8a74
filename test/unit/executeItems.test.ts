import { Readable } from 'node:stream';

import { Workflow } from 'n8n-workflow';

import { type BuildRequests, executeItems, type ItemsRun } from '../../nodes/VoiceAdmin/execution/executeItems';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { CredentialStore, credentialFor } from '../support/executor/credentialStore';
import { contextOf, nodeOf, nodeTypesOf } from '../support/executor/nodeTypes';
import { startService } from '../support/executor/startService';
import { json } from '../support/recorder';

const NODE = nodeOf('Voice Admin', 'voiceAdmin');

const createCustomer: BuildRequests = () => ({
	requests: [{ method: 'POST', path: '/v1/customers/add', fields: {}, creates: 'customer with VAT number C0' }],
	options: { maxConcurrency: 1, maxRetries: 0, maxWait: 0, dryRun: false },
});

/** Runs two items, whose requests get what n8n's helper never gives, and nothing here is prepared for. */
async function setUp() {
	const service = await startService((_request, response) => json(response, 200, {}));
	const nodeTypes = nodeTypesOf({ [NODE.type]: new VoiceAdmin() });
	const workflow = new Workflow({ nodes: [NODE], connections: {}, active: false, nodeTypes });
	const n8nContext = contextOf(workflow, NODE, new CredentialStore(credentialFor(service.url)), 'trigger');
	const headers = Object.defineProperty({}, 'retry-after', { get: () => { throw new Error('unforeseen'); } });
	const httpRequestWithAuthentication = jest.fn(async () => ({ statusCode: 429, headers, body: Readable.from([]) }));
	const run = async (continues: boolean, onRead = () => {}, signal?: AbortSignal) => {
		const context: ItemsRun['context'] = Object.create(n8nContext, {
			helpers: { value: { ...n8nContext.helpers, httpRequestWithAuthentication } },
			continueOnFail: { value: () => continues },
			getExecutionCancelSignal: { value: () => signal },
		});
		// One batch, after which there is none to wait for.
		const batching = { batch: { batchSize: 2, batchInterval: 3_600_000 } };
		const readParameter = (name: string) => (onRead(), name === 'requestOptions' ? { batching } : undefined);
		return await executeItems({ context, items: [{ json: {} }, { json: {} }], readParameter, history: new Map() }, createCustomer);
	};
	return { service, run, sent: httpRequestWithAuthentication };
}

test('an error that nobody foresaw, once a request may have been sent, has an unknown outcome, and names the customer', async () => {
	const { service, run } = await setUp();
	const message = 'unforeseen. The customer with VAT number C0 may already exist';
	const unforeseen = { message, code: 'invalid_response', outcome: 'unknown' };
	expect((await run(true)).map((item) => item.json.error)).toMatchObject([unforeseen, unforeseen]);
	// Up to then all was well.
	expect(service.logins).toHaveLength(1);
});

test('an error that nobody foresaw stops the run', async () => {
	const { run, sent } = await setUp();
	await expect(run(false)).rejects.toThrow('unforeseen');
	expect(sent).toHaveBeenCalledTimes(1);
});

test('a run that is cancelled while its items are checked sends none of them', async () => {
	const { run, sent } = await setUp();
	const controller = new AbortController();
	expect(await run(true, () => controller.abort(), controller.signal)).toEqual([]);
	expect(sent).not.toHaveBeenCalled();
});
