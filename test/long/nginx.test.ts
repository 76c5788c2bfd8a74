import { type FaultRule, type Sandbox, startSandbox } from '../../sandbox';
import {
	addCustomer,
	credentialFor,
	execute,
	expectTrueReport,
	getGateway,
	numbered,
	type Report,
	reportOf,
	until,
} from '../support/executor';
import { faultsNotInjected } from '../support/faults';
import { behindNginx, inFront, isInstalled, type Running, withBadBackend } from '../support/nginx';

const testWithNginx = process.env.CI || isInstalled() ? test.concurrent : test.skip;

const PARAMETERS = {
	creates: addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 25 } }),
	gets: getGateway('={{ $json.n % 12 + 1 }}', { options: { maxConcurrency: 25 } }),
};
type Sends = keyof typeof PARAMETERS;

/** Creates in flight when something happens. */
const IN_FLIGHT = 25;

/** Sends so many requests through nginx; asserts that the run tells the truth, and gets all it reads. */
async function send(
	count: number,
	sends: Sends,
	nginx: Parameters<typeof behindNginx>[0],
	meanwhile: (running: Running, sandbox: Sandbox) => Promise<void> = async () => {},
	rules: FaultRule[] = [{ fault: 'latency', ms: 100 }],
): Promise<Report> {
	const sandbox = await startSandbox({ faults: rules });
	let report: Report | undefined;
	const work = async (running: Running) => {
		const sending = execute({
			items: numbered(count),
			parameters: PARAMETERS[sends],
			credential: credentialFor(running.url),
			settings: { onError: 'continueErrorOutput' },
		});
		await meanwhile(running, sandbox);
		const result = await sending;
		report = reportOf(result);
		if (sends === 'creates') expectTrueReport(result, sandbox);
		else expect(report).toMatchObject({ done: count, messages: [] });
		expect(faultsNotInjected(sandbox)).toEqual([]);
	};
	await behindNginx(nginx, sandbox.port, work).finally(async () => await sandbox.close());
	return report!;
}

/** Until nginx has logged it: a response a moment after the client has it. */
const logged = (pattern: RegExp) => async (running: Running) =>
	void (await until(() => pattern.test(running.log()), `nginx has logged ${pattern}`));

// A create that a 503 refuses may exist: besides those of the first burst, one for each time that the run meets the limit again.
for (const [status, most] of [
	[429, 0],
	[503, IN_FLIGHT + 10],
] as const)
	for (const sends of ['creates', 'gets'] as const)
		testWithNginx(
			`60 ${sends} behind nginx that gives ${status} beyond 10 a second: at most ${most} fail`,
			async () => {
				const limit = inFront(`limit_req zone=clients; limit_req_status ${status};`);
				const { errors } = await send(60, sends, limit, logged(new RegExp(` ${status} `)));
				expect(errors.length).toBeLessThanOrEqual(sends === 'gets' ? 0 : most);
			},
		);

testWithNginx('300 creates while nginx is reloaded twice are all done', async () => {
	const reload = async ({ reload: again, log }: Running, sandbox: Sandbox) => {
		for (const sent of [50, 150]) {
			await until(() => sandbox.getRecordsAndCounters().counters.requests >= sent, `${sent} requests have arrived`);
			again();
		}
		await until(() => /reconfiguring[^]*reconfiguring/.test(log()), 'nginx has been reloaded twice');
	};
	expect((await send(300, 'creates', inFront(), reload)).done).toBe(300);
});

testWithNginx(`300 creates whose service is away behind nginx for 1.5 seconds: at most ${IN_FLIGHT} fail`, async () => {
	const away: FaultRule = { fault: 'refused', ms: 1_500, path: '/v1/customers', after: 39 };
	const rules: FaultRule[] = [{ fault: 'latency', ms: 20 }, away];
	const { done, unknown } = await send(300, 'creates', inFront(), logged(/ 502 /), rules);
	expect(unknown).toBeLessThanOrEqual(IN_FLIGHT);
	expect(done + unknown).toBe(300);
});

// Half of the creates that are sent are in doubt, however they are sent: fewer are better than more that are done.
for (const status of [502, 503])
	testWithNginx(
		`300 creates behind nginx, of whose two servers one always gives ${status}: at most 50 are in doubt`,
		async () => {
			const { done, unknown, failed } = await send(300, 'creates', withBadBackend(status));
			expect(unknown).toBeLessThanOrEqual(2 * IN_FLIGHT);
			expect(done + unknown + failed).toBe(300);
		},
	);
