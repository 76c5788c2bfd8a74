import { Readable } from 'node:stream';

import { Workflow } from 'n8n-workflow';

import { type BuildItem, executeItems, type RunInput } from '../../nodes/VoiceAdmin/execution/executeItems';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { contextOf, credentialFor, CredentialStore, json, nodeOf, nodeTypesOf, startService } from '../support/executor';

const NODE = nodeOf('Voice Admin', 'voiceAdmin');

const createCustomer: BuildItem = () => ({
	requests: [{ method: 'POST', path: '/v1/customers/add', fields: {}, creates: 'customer with VAT number C0' }],
	options: { maxConcurrency: 1, maxRetries: 0, maxWait: 0, dryRun: false },
});

test('an error that nobody foresaw, once a request may have been sent, has an unknown outcome, and names the customer', async () => {
	const service = await startService((_request, response) => json(response, 200, {}));
	const workflow = new Workflow({ nodes: [NODE], connections: {}, active: false, nodeTypes: nodeTypesOf({ [NODE.type]: new VoiceAdmin() }) });
	const n8nContext = contextOf(workflow, NODE, new CredentialStore(credentialFor(service.url)), 'trigger');
	// What n8n's helper never gives, and nothing here is prepared for.
	const headers = Object.defineProperty({}, 'retry-after', { get: () => { throw new Error('unforeseen'); } });
	const httpRequestWithAuthentication = async () => await Promise.resolve({ statusCode: 429, headers, body: Readable.from([]) });
	const context: RunInput['context'] = Object.create(n8nContext, {
		helpers: { value: { ...n8nContext.helpers, httpRequestWithAuthentication } },
		continueOnFail: { value: () => true },
		getExecutionCancelSignal: { value: () => undefined },
	});
	const run = { context, items: [{ json: {} }, { json: {} }], readParameter: () => undefined, history: new Map() };
	const message = 'unforeseen. The customer with VAT number C0 may already exist';
	const unforeseen = { message, code: 'invalid_response', outcome: 'unknown' };
	expect((await executeItems(run, createCustomer)).map((item) => item.json.error)).toMatchObject([unforeseen, unforeseen]);
	// Up to then all was well.
	expect(service.logins).toHaveLength(1);
});
