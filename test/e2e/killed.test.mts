import { type Sandbox, startSandbox } from '../../sandbox';
import { importInto } from '../../scripts/n8n/cli.mts';
import { n8nLike } from '../../scripts/n8n/home.mts';
import { publishWorkflows, serveEditor } from '../../scripts/n8n/server.mts';
import { anyFreePort } from '../../scripts/servers/ports.mts';
import { credentialFor } from '../support/executor/credentialStore';
import { readExample, withNode } from '../support/n8n/example.mts';
import { n8n as given } from '../support/n8n/n8n.mts';
import { until } from '../support/until';

const CUSTOMERS = 200;
/** Of create-customers-once. */
const BATCH = 10;
const LATENCY_MS = 200;

let sandbox: Sandbox;
let server: Awaited<ReturnType<typeof serveEditor>>;
let start: () => Promise<void>;

const created = () => sandbox.state().customers.map(({ vatNumber }) => vatNumber).sort();

beforeAll(async () => {
	// Its server is killed.
	const n8n = await n8nLike(given, `${given.home}/killed`);
	sandbox = await startSandbox({ latencyMs: LATENCY_MS });
	const blocks = ['read-a-list', 'create-customers-once', 'customers-from-list'].map((file) => readExample(file));
	const open = ['Upload customers', 'Receive customers'];
	const workflow = [...blocks, readExample('customers-from-webhook')].map((example) =>
		open.reduce((changed, name) => (changed.nodes.some((node) => node.name === name)
			? withNode(changed, name, ({ parameters }) => Object.assign(parameters, { authentication: 'none' }))
			: changed), example));
	const credentials = [{ id: 'account', name: 'Voice Admin account', type: 'voiceAdminApi', data: credentialFor(sandbox.url) }];
	await importInto(n8n, { credentials, workflow });
	start = async () => void (server = await serveEditor(n8n, { port: await anyFreePort(), log: `n8n-killed-${n8n.version}` }));
	await start();
	await publishWorkflows(server, workflow.map(({ id }) => id));
});

afterAll(async () => {
	server.signal('SIGTERM');
	await server.ended;
	await sandbox.close();
});

test(`a list of ${CUSTOMERS} during which n8n is killed twice (SIGKILL): each customer is created once, or named as open`, async () => {
	const numbers = Array.from({ length: CUSTOMERS }, (_, index) => `DE${800_000_000 + index}`);
	const list = ['VAT number;Name', ...numbers.map((number) => `${number};Company ${number}`), ''].join('\n');
	const upload = async () => {
		const body = new FormData();
		body.set('List', new File([list], 'list.csv', { type: 'text/csv' }));
		const response = await fetch(`${server.url}/webhook/receive-customers?create=true`, { method: 'POST', body });
		return (await response.json()) as { title: string; sums: Record<string, number>; rows: Array<{ vatNumber: string; result: string }> };
	};

	for (const killedAt of [CUSTOMERS / 4, CUSTOMERS / 2]) {
		const cutOff = upload().catch(() => {});
		await until(() => created().length >= killedAt && sandbox.state().counters.inFlight > 0, 'customers are being sent');
		server.signal('SIGKILL');
		await server.ended;
		await cutOff;
		await start();
	}
	const { title, sums, rows } = await upload();

	expect(created()).toEqual([...new Set(created())]);
	expect(rows.map(({ vatNumber }) => vatNumber)).toEqual(numbers);
	const open = rows.filter(({ result }) => result === 'open').map(({ vatNumber }) => vatNumber);
	expect(open.length).toBeGreaterThan(0);
	expect(open.length).toBeLessThanOrEqual(2 * BATCH);
	expect([...new Set([...created(), ...open])].sort()).toEqual(numbers);
	expect(rows.filter(({ result }) => result === 'created' || result === 'existed')).toHaveLength(CUSTOMERS - open.length);
	expect(sums).toEqual({ read: CUSTOMERS, open: open.length, created: expect.any(Number), existed: expect.any(Number) });
	expect(title).toBe('Not all customers are created');
});
