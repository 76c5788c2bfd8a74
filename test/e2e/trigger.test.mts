import { type Sandbox, startSandbox } from '../../sandbox';
import { importInto, n8nCommand } from '../../scripts/n8n/cli.mts';
import { secretsInLog } from '../../scripts/n8n/credentials.mts';
import { type N8n, n8nLike } from '../../scripts/n8n/home.mts';
import { serveEditor } from '../../scripts/n8n/server.mts';
import { chain } from '../../scripts/n8n/workflow.mts';
import { anyFreePort } from '../../scripts/servers/ports.mts';
import { waitUntil } from '../../scripts/servers/waiting.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { POLL_TIMES, posting } from '../support/n8n/example.mts';
import { n8n as given } from '../support/n8n/n8n.mts';
import { json, Recorder } from '../support/recorder';

/** A gateway that is changed only to see that what was found before has arrived. */
const FENCE = '9';
const WATCHED = ['1', '2', '5', FENCE];

const STEP_WITHIN_MS = 90_000;

let n8n: N8n;
let sandbox: Sandbox;
let service: Recorder;
let server: Awaited<ReturnType<typeof serveEditor>>;
/** How often n8n was started. */
let starts = 0;

/** What the workflow was started with, item by item, in order. */
const changes: Array<{ gatewayId: string; changed: object; current: { name?: string } | null }> = [];

/** Errors of which n8n has told the error workflow. */
const errors: Array<{ message: string; description?: string; context?: object }> = [];

const polls = () => sandbox.requests().filter(({ method }) => method === 'GET').length;

const until = async (what: string, holds: () => boolean) => await waitUntil(async () => holds(), { what, process: server, withinMs: STEP_WITHIN_MS });

/** Until n8n has looked at all gateways so many times more, and all that it found has been reported. */
async function morePolls(count: number): Promise<void> {
	const wanted = polls() + count * WATCHED.length;
	await until(`${count} more polls`, () => polls() >= wanted);
	// What a poll has found starts the workflow after it, and is reported before what the next poll finds.
	change(FENCE, `Changed after ${wanted} requests`);
	const isFence = ({ gatewayId }: (typeof changes)[number]) => gatewayId === FENCE;
	await until('The report of a later change', () => changes.some(isFence));
	changes.splice(changes.findIndex(isFence), 1);
}

const change = (id: string, name: string) => sandbox.putGateway({ ...sandbox.state().gateways.find((known) => known.id === id)!, name });

const start = async () => {
	starts += 1;
	server = await serveEditor(n8n, { port: await anyFreePort(), log: `n8n-trigger-${n8n.version}` });
};

async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
	server.signal(signal);
	await server.ended;
	// Here, as the next start overwrites this log.
	expect(await secretsInLog(server)).toEqual([]);
}

beforeAll(async () => {
	// Its server is killed, and its polls would disturb other tests.
	n8n = await n8nLike(given, `${given.home}/trigger`);
	sandbox = await startSandbox();
	service = await Recorder.start((request, response) => {
		if (request.target === '/changes') changes.push(JSON.parse(request.body) as (typeof changes)[number]);
		if (request.target === '/errors') errors.push(JSON.parse(request.body) as (typeof errors)[number]);
		json(response, 200, {});
	});
	const credential = { id: 'watching', name: 'Voice Admin of the trigger' };
	const trigger = {
		name: 'Voice Admin Trigger',
		type: 'n8n-nodes-voice-admin.voiceAdminTrigger',
		typeVersion: 1,
		parameters: { pollTimes: POLL_TIMES, gatewayIds: WATCHED.join(', ') },
		credentials: { voiceAdminApi: credential },
	};
	const error = { name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger', typeVersion: 1, parameters: {} };
	const ERROR = '$json.trigger.error';
	const words = `={{ JSON.stringify({ message: ${ERROR}.message, description: ${ERROR}.description, context: ${ERROR}.context }) }}`;
	const report = (at: string, jsonBody?: string) => [{ name: 'Report', ...posting(service.url + at, jsonBody) }];
	const workflows = [
		chain({ id: 'errors', name: 'errors', start: error, nodes: report('/errors', words) }),
		chain({ id: 'watching', name: 'watching', start: trigger, nodes: report('/changes'), settings: { errorWorkflow: 'errors' } }),
	];
	await importInto(n8n, { credentials: [{ ...credential, type: 'voiceAdminApi', data: credentialFor(sandbox.url) }], workflow: workflows });
	for (const { id } of workflows) await n8nCommand(n8n, ['publish:workflow', `--id=${id}`]);
	await start();
	await until('The first poll', () => polls() >= WATCHED.length);
}, 300_000);

afterAll(async () => {
	try {
		await end('SIGTERM');
	} finally {
		await service.close();
		await sandbox.close();
	}
}, 120_000);

test('the first poll starts nothing, and a change starts the workflow once', async () => {
	await morePolls(1);
	expect(changes).toEqual([]);
	change('1', 'Changed while n8n runs');
	await until('The workflow', () => changes.length > 0);
	await morePolls(2);
	expect(changes).toMatchObject([{ gatewayId: '1', changed: { name: { from: 'Milano Elastic 1', to: 'Changed while n8n runs' } }, current: { name: 'Changed while n8n runs' } }]);
}, 2 * STEP_WITHIN_MS);

test.each(['SIGKILL', 'SIGTERM'] as const)('a change while n8n is down (%s) starts it once, and no change is reported twice', async (signal) => {
	changes.length = 0;
	await end(signal);
	change('5', `Changed while n8n was down by ${signal}`);
	await start();
	await until('The workflow', () => changes.length > 0);
	await morePolls(2);
	expect(changes).toMatchObject([{ gatewayId: '5', current: { name: `Changed while n8n was down by ${signal}` } }]);
}, 3 * STEP_WITHIN_MS);

test('a gateway that can not be read is an error of its own in the API\'s words, and does not hide another\'s change', async () => {
	changes.length = 0;
	sandbox.setFaults({ rules: [{ fault: 'http500', path: '/v1/voip/dss/gtw/2' }] });
	change('1', 'Changed beside a failure');
	change('2', 'Changed and not readable');
	await until('The workflow', () => changes.length > 0);
	await until('The error workflow', () => errors.length > 0);
	expect(changes).toMatchObject([{ gatewayId: '1' }]);
	expect(errors[0]).toMatchObject({ message: 'The service failed', description: expect.stringContaining('Request: gateway 2'), context: { code: 'service_error', outcome: 'unknown' } });
	sandbox.setFaults({});
	await until('The change of the other gateway', () => changes.length > 1);
	await morePolls(1);
	expect(changes.map(({ gatewayId }) => gatewayId)).toEqual(['1', '2']);
}, 3 * STEP_WITHIN_MS);

test('n8n logs in once as long as it runs', () => {
	expect(sandbox.state().counters.logins).toBe(starts);
});
