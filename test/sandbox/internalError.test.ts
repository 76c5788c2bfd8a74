import { DEMO_CLIENT, startSandbox } from '../../sandbox';
import type { Gateway, Sandbox } from '../../sandbox';
import { Store } from '../../sandbox/store/store';
import { logInternalError } from '../../sandbox/control/internalError';
import { SandboxCore } from '../../sandbox/sandbox';
import { until } from '../support/until';
import { DocumentedClient } from './documentedClient';
import { Listener } from './listener';

let sandbox: Sandbox;
let client: DocumentedClient;
let log: jest.SpyInstance;
const lines = () => log.mock.calls.map(([line]) => String(line));

beforeEach(async () => {
	log = jest.spyOn(console, 'error').mockImplementation(() => {});
	sandbox = await startSandbox();
	client = new DocumentedClient(sandbox);
});
afterEach(async () => {
	jest.restoreAllMocks();
	await sandbox.close();
});

describe('an internal error', () => {
	it('in an event is logged once, and the event stream goes on', async () => {
		const listener = await Listener.to(sandbox);
		const gateway: Gateway = { id: '12', name: 'Moved', type: 'pbx', organizationId: 30 };
		for (let times = 0; times < 3; times += 1) {
			// no request can bring this in: a program that has the sandbox in its own process can
			sandbox.putGateway({ ...gateway, name: 5 } as never);
			// Longer than the time in which updates are sent as one.
			await new Promise((resolve) => setTimeout(resolve, 300));
		}
		sandbox.putGateway(gateway);
		await until(() => listener.snapshots.some(({ gateways }) => gateways.some(({ name }) => name === 'Moved')), 'the gateway is told');
		expect(lines()).toEqual([expect.stringMatching(/^Internal error of the sandbox during an update of the event stream: TypeError: .*snapshot\.ts:\d+:\d+\)\)$/)]);
		listener.leave();
	});

	it.each([
		['a control path', '/_sandbox/state', () => jest.spyOn(SandboxCore.prototype, 'state')],
		['an event stream that is about to begin', '/_sandbox/events', () => jest.spyOn(Store.prototype, 'view')],
		['a page', '/_sandbox/openapi.json', () => jest.spyOn(jest.requireActual<typeof import('node:fs/promises')>('node:fs/promises'), 'readFile')],
		['the API', '/v1/voip/dss/gtw/1', () => jest.spyOn(Store.prototype, 'findGateway')],
	])('in %s is logged and answered with 500, and the next request is answered', async (_, path, spy) => {
		const token = await client.tokenOf(DEMO_CLIENT);
		const failing = (spy() as jest.SpyInstance).mockImplementation(() => { throw new Error(`Broken ${path}`); });
		expect(await client.callFreely('GET', path, { token })).toMatchObject({ status: 500, data: { status: 'Internal Server Error', message: 'Internal error of the sandbox', errors: expect.any(String) } });
		expect(lines()).toEqual([expect.stringContaining(`: Error: Broken ${path} (at `)]);
		failing.mockRestore();
		expect((await client.callFreely('GET', '/v1/voip/dss/gtw/1', { token })).status).toBe(200);
	});

	it('of a listener to the log of requests does not end the process', async () => {
		const careless = await startSandbox({ log: () => { throw new Error('The disk is full'); } });
		expect((await new DocumentedClient(careless).login(DEMO_CLIENT)).status).toBe(200);
		await until(() => lines().length === 1, 'it is logged');
		await careless.close();
	});

	it('is logged in one line, without secrets', async () => {
		const token = await client.tokenOf(DEMO_CLIENT);
		logInternalError('a test', new Error(`two\nlines, ${token}, ${DEMO_CLIENT.clientSecret}, ${'x'.repeat(10_000)}`));
		logInternalError('a test', 'no error at all');
		expect(lines()[0]).toMatch(/^Internal error of the sandbox during a test: Error: two lines, \[access token\], \[API key\], x+ \(at .*\)$/);
		expect(lines()[0]!.length).toBeLessThan(1000);
		expect(lines()[1]).toContain('no error at all');
	});
});
