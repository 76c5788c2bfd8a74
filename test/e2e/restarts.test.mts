import { type Sandbox, startSandbox } from '../../sandbox';
import { importInto } from '../../scripts/n8n/cli.mts';
import { findSecretsInLog } from '../../scripts/n8n/credentials.mts';
import { type N8nInstance, createSiblingN8n } from '../../scripts/n8n/home.mts';
import { publishWorkflows, startServer, signIn } from '../../scripts/n8n/server.mts';
import { findFreePort } from '../../scripts/servers/ports.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { posting, readExample, withNode, withoutLogin, withPostInPlaceOf } from '../support/n8n/example.mts';
import { n8n as given } from '../support/n8n/n8n.mts';
import { chainNodes, createWebhook } from '../../scripts/n8n/workflow.mts';
import { callWebhook } from '../support/n8n/workflow.mts';
import { getGateway } from '../support/operations';
import { json, Recorder } from '../support/recorder';
import { until } from '../support/until';

/** A gateway that is changed only to see that what was found before has arrived. */
const FENCE = '9';
const WATCHED = ['1', '2', '5', FENCE];

/** For one poll time n8n polls once a minute at the most: so there are twenty, three seconds apart. */
const POLL_TIMES = {
	item: Array.from({ length: 20 }, (_, index) => ({ mode: 'custom', cronExpression: `${index * 3} * * * * *` })),
};

/** Each after those that it calls. */
const LIST_WORKFLOWS = ['read-a-list', 'create-customers-once', 'customers-from-list', 'customers-from-webhook'];
const CUSTOMERS = 200;
/** Of create-customers-once. */
const BATCH = 10;

let n8n: N8nInstance;
let sandbox: Sandbox;
let service: Recorder;
let server: Awaited<ReturnType<typeof startServer>>;

/** Texts of the example's alerts, in order. */
const alerts: string[] = [];

/** Errors of which n8n has told the error workflow; also of executions that a kill has ended, without a code. */
const errors: Array<{ context?: { code?: string } }> = [];
const errorWith = async (code: string) =>
	await until(() => errors.find(({ context }) => context?.code === code), `the error workflow has run with ${code}`);

const polls = () => sandbox.getRequests().filter(({ method }) => method === 'GET').length;
const gateway = (id: string) => sandbox.getRecordsAndCounters().gateways.find((known) => known.id === id)!;
const change = (id: string, fields: object) => sandbox.putGateway({ ...gateway(id), ...fields });

/** The texts of all alerts since the last call, when there is one at least. */
async function nextTexts(): Promise<string[]> {
	await until(() => alerts.length > 0, 'an alert has come');
	return alerts.splice(0);
}

/** Expects that n8n has nothing more to report in two polls more: the next alert is of a change that is made after them. */
async function expectNothingMore(): Promise<void> {
	const wanted = polls() + 2 * WATCHED.length;
	await until(() => polls() >= wanted, 'n8n has polled twice more');
	// What a poll has found starts the workflow after it, and is reported before what the next poll finds.
	change(FENCE, { name: `Changed after ${wanted} requests` });
	expect(await nextTexts()).toEqual([expect.stringMatching(new RegExp(`^Gateway ${FENCE} has changed`))]);
}

const start = async () => {
	server = await startServer(n8n, { port: await findFreePort(), log: `n8n-restarts-${n8n.version}` });
};

async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
	server.signal(signal);
	await server.exit;
	// Here, as the next start overwrites this log.
	expect(await findSecretsInLog(server)).toEqual([]);
}

beforeAll(async () => {
	// Its server is killed, and its polls would disturb other tests.
	n8n = await createSiblingN8n(given, `${given.home}/killed`);
	sandbox = await startSandbox();
	service = await Recorder.start((request, response) => {
		const body = JSON.parse(request.body) as { text: string };
		if (request.target === '/alerts') alerts.push(body.text);
		else errors.push(body as object);
		json(response, 200, {});
	});
	const example = withPostInPlaceOf(readExample('gateway-alert'), 'Send the alert here', `${service.url}/alerts`);
	const watching = withNode(example, 'When a gateway changes', ({ parameters }) => {
		Object.assign(parameters, { pollTimes: POLL_TIMES, gatewayIds: WATCHED.join(', ') });
	});
	// Of a trigger that fails, n8n has no execution.
	const ERROR = '($json.trigger ?? $json.execution).error';
	const words = `={{ JSON.stringify({ message: ${ERROR}.message, description: ${ERROR}.description, context: ${ERROR}.context }) }}`;
	const errorTrigger = { name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger', typeVersion: 1, parameters: {} };
	const report = [{ name: 'Report', ...posting(`${service.url}/errors`, words) }];
	const getGatewayNode = {
		name: 'Get a gateway',
		type: 'n8n-nodes-voice-admin.voiceAdmin',
		typeVersion: 1,
		parameters: getGateway('missing'),
		credentials: { voiceAdminApi: { id: 'account', name: 'Voice Admin account' } },
	};
	const workflows = [
		...LIST_WORKFLOWS.map((file) => withoutLogin(readExample(file))),
		chainNodes({ id: 'errors', name: 'errors', start: errorTrigger, nodes: report }),
		{ ...watching, settings: { ...(watching.settings as object), errorWorkflow: 'errors' } },
		chainNodes({
			id: 'gateway',
			name: 'gateway',
			start: createWebhook('gateway'),
			nodes: [getGatewayNode],
			settings: { errorWorkflow: 'errors' },
		}),
	];
	const credentials = [
		{ id: 'account', name: 'Voice Admin account', type: 'voiceAdminApi', data: credentialFor(sandbox.url) },
	];
	await importInto(n8n, { credentials, workflow: workflows });
	await start();
	await publishWorkflows(
		server,
		workflows.map(({ id }) => id),
	);
	await until(() => polls() >= WATCHED.length, 'n8n has polled');
});

afterAll(async () => {
	try {
		await end('SIGTERM');
	} finally {
		await service.close();
		await sandbox.close();
	}
});

test('the first poll starts nothing, and each change starts the workflow of the example once, which says what it was', async () => {
	await expectNothingMore();
	const before = gateway('1');
	change('1', { name: 'Changed', terminationUri: null });
	expect(await nextTexts()).toEqual([
		'Gateway 1 has changed:\n- name: Milano Elastic 1 → Changed\n- terminationUri: milano-1.sip.sandbox.example → none',
	]);
	sandbox.removeGateway('1');
	expect(await nextTexts()).toEqual([
		expect.stringMatching(/^Gateway 1 is no longer found\. It had:\n[^]*- name: Changed\b/),
	]);
	sandbox.putGateway(before);
	expect(await nextTexts()).toEqual([
		expect.stringMatching(/^Gateway 1 has appeared:\n[^]*- name: none → Milano Elastic 1\b/),
	]);
	await expectNothingMore();
});

test('a change while n8n is down, as it was killed, starts the workflow once, and none does twice', async () => {
	await end('SIGKILL');
	change('5', { name: 'Changed while n8n was down' });
	await start();
	expect(await nextTexts()).toEqual([expect.stringContaining('→ Changed while n8n was down')]);
	await expectNothingMore();
});

test("a gateway that can not be read is an error of its own in the API's words, and does not hide another's change", async () => {
	sandbox.setFaults([{ fault: 'http', status: 500, path: '/v1/voip/dss/gtw/2' }]);
	change('1', { name: 'Changed beside a failure' });
	change('2', { name: 'Changed and not readable' });
	expect(await nextTexts()).toEqual([expect.stringMatching(/^Gateway 1 has changed/)]);
	const description = expect.stringContaining('Request: gateway 2');
	expect(await errorWith('service_error')).toMatchObject({
		message: 'The service failed',
		description,
		context: { code: 'service_error', outcome: 'unknown' },
	});
	sandbox.setFaults([]);
	expect(await nextTexts()).toEqual([expect.stringMatching(/^Gateway 2 has changed/)]);
	await expectNothingMore();
});

test("an error workflow is told the code and the outcome of a node's failure", async () => {
	await callWebhook(`${server.url}/webhook/gateway`, {});
	expect(await errorWith('not_found')).toMatchObject({ context: { outcome: 'not_done' } });
});

test('an n8n that the scripts start again lets its owner in with the same password', async () => {
	await signIn(server);
});

// The last one: its requests fill the sandbox's log, by which polls are counted.
test(`a list of ${CUSTOMERS} during which n8n is killed: each customer is created once, or named as open`, async () => {
	const created = () =>
		sandbox
			.getRecordsAndCounters()
			.customers.map(({ vatNumber }) => vatNumber)
			.sort();
	const numbers = Array.from({ length: CUSTOMERS }, (_, index) => `DE${800_000_000 + index}`);
	const list = [
		'VAT number;Name',
		...numbers.map((number) => `${number};Company ${number.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`),
		'',
	].join('\n');
	sandbox.setFaults([{ fault: 'latency', ms: 200, path: '/v1/customers' }]);
	const upload = async () => {
		const body = new FormData();
		body.set('List', new File([list], 'list.csv', { type: 'text/csv' }));
		const reply = await callWebhook(`${server.url}/webhook/receive-customers?create=true`, body);
		return reply.body as {
			title: string;
			sums: Record<string, number>;
			rows: Array<{ vatNumber: string; result: string }>;
		};
	};

	const cutOff = upload().catch(() => {});
	const isHalfDone = () => created().length >= CUSTOMERS / 2 && sandbox.getRecordsAndCounters().counters.inFlight > 0;
	await until(isHalfDone, 'customers are being sent');
	await end('SIGKILL');
	await cutOff;
	await start();
	const { title, sums, rows } = await upload();

	expect(created()).toEqual([...new Set(created())]);
	expect(rows.map(({ vatNumber }) => vatNumber)).toEqual(numbers);
	const open = rows.filter(({ result }) => result === 'open').map(({ vatNumber }) => vatNumber);
	expect(open.length).toBeGreaterThan(0);
	expect(open.length).toBeLessThanOrEqual(BATCH);
	expect([...new Set([...created(), ...open])].sort()).toEqual(numbers);
	const { read, created: nowCreated = 0, existed = 0 } = sums;
	expect([title, read, sums.open, nowCreated + existed]).toEqual([
		expect.stringMatching(/^Not all customers are created: \d+ open, /),
		CUSTOMERS,
		open.length,
		CUSTOMERS - open.length,
	]);
});
