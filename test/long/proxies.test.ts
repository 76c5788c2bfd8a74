import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

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
import {
	behind,
	haproxy,
	isInstalled,
	MAINTENANCE,
	nginx,
	nginxWithBadBackend,
	nginxWithMaintenance,
	type Proxy,
	type Running,
} from '../support/proxies';

interface Case {
	title: string;
	proxy: Proxy;
	sends: 'creates' | 'gets';
	count: number;
	faults?: FaultRule[];
	/** After how many requests the proxy is reloaded, each time. */
	reloadsAfter?: number[];
	/** What the proxy's log has when what the test is about has happened. */
	logged?: RegExp;
	/** How many customers may have an unknown outcome, at most. Default none. */
	mayExist?: number;
}

const CREATE = '/v1/customers';
/** Each answer takes that long, so that a run is in full swing when something happens. */
const LATENCY: FaultRule = { fault: 'latency', ms: 20 };
const AWAY: FaultRule[] = [LATENCY, { fault: 'refused', ms: 1500, path: CREATE, after: 39 }];

/** A key's limit of concurrent requests begins with 25, and has grown when an outage begins at the 40th request. */
const [FIRST_IN_FLIGHT, IN_FLIGHT] = [25, 60];

const [CREATES, GETS, MANY] = [
	{ sends: 'creates', count: 60 },
	{ sends: 'gets', count: 100 },
	{ sends: 'creates', count: 300 },
] as const;
const LIMIT = 'limit_req zone=clients;';
/** A create that a 503 refuses may exist: besides those of the first burst, one for each time that the run meets the limit again. */
const limits: Array<Pick<Case, 'title' | 'proxy' | 'logged' | 'mayExist'>> = [
	{ title: 'nginx, 503 beyond 10 a second', proxy: nginx(LIMIT), logged: / 503 /, mayExist: FIRST_IN_FLIGHT + 10 },
	{ title: 'nginx, 429 beyond 10 a second', proxy: nginx(`${LIMIT} limit_req_status 429;`), logged: / 429 / },
	{
		// It counts those that it refuses, too.
		title: 'HAProxy, 429 beyond 10 in a second',
		proxy: haproxy(
			'stick-table type ip size 1k expire 10s store http_req_rate(1s)',
			'http-request track-sc0 src',
			'http-request deny deny_status 429 if { sc_http_req_rate(0) gt 10 }',
		),
		logged: / 429 /,
	},
];
const reloads = { faults: [LATENCY], reloadsAfter: [50, 150], ...MANY };

const CASES: Case[] = [
	...limits.flatMap((limit) => [
		{ ...limit, ...CREATES },
		{ ...limit, ...GETS },
	]),
	{ title: 'nginx, reloaded', proxy: nginx(), logged: /reconfiguring[^]*reconfiguring/, ...reloads },
	{ title: 'HAProxy, reloaded', proxy: haproxy(), logged: /Reloading[^]*Reloading/, ...reloads },
	{
		title: 'nginx, the service away for 1.5 s',
		proxy: nginx(),
		faults: AWAY,
		mayExist: IN_FLIGHT,
		logged: / 502 /,
		...MANY,
	},
];

async function run({
	proxy,
	sends,
	count,
	faults,
	reloadsAfter = [],
	logged = /^/,
	mayExist = 0,
}: Case): Promise<void> {
	const sandbox = await startSandbox({ faults: { rules: faults } });
	const work = async ({ url, log, reload }: Running) => {
		const running = execute({
			items: numbered(count),
			parameters: sends === 'creates' ? addCustomer('={{ "C" + $json.n }}') : getGateway('={{ $json.n % 12 + 1 }}'),
			credential: credentialFor(url),
			settings: { onError: 'continueErrorOutput' },
		});
		for (const sent of reloadsAfter) {
			await until(() => sandbox.state().counters.requests >= sent, `${sent} requests have arrived`);
			reload();
		}
		const { output, errors } = await running;
		const stored = sandbox.state().customers.map(({ vatNumber }) => vatNumber);
		expect(stored.filter((one, index) => stored.indexOf(one) !== index)).toEqual([]);
		expect([log(), faultsNotInjected(sandbox)]).toEqual([expect.stringMatching(logged), []]);
		const failures = errors.map(({ json }) => json.error as { message: string; outcome: string });
		// Only of a create does it matter.
		const isUnknown = ({ outcome }: { outcome: string }) => sends === 'creates' && outcome === 'unknown';
		const unknown = failures.filter(isUnknown).length;
		const known = new Set(failures.filter((failure) => !isUnknown(failure)).map(({ message }) => message));
		expect({ known: [...known], unknown, output: output.length }).toEqual({
			known: [],
			unknown,
			output: count - unknown,
		});
		expect(unknown).toBeLessThanOrEqual(mayExist);
		if (sends === 'creates')
			expect(output.filter(({ json }) => !stored.includes(json.vatNumber as string))).toEqual([]);
	};
	await behind(proxy, sandbox.port, work).finally(async () => await sandbox.close());
}

/**
 * Sends 300 requests, 25 at once, through a proxy to a service that takes 300 ms; asserts that the proxy gave responses of
 * its own, and that the run tells the truth.
 */
async function run300(
	proxy: Proxy,
	sends: Case['sends'],
	meanwhile?: (running: Running, sandbox: Sandbox) => Promise<void>,
): Promise<Report> {
	const options = { maxConcurrency: 25 };
	const sandbox = await startSandbox({ latencyMs: 300 });
	let report: Report | undefined;
	const work = async (running: Running) => {
		const sending = execute({
			items: numbered(300),
			parameters:
				sends === 'creates'
					? addCustomer('={{ "C" + $json.n }}', { options })
					: getGateway('={{ $json.n % 12 + 1 }}', { options }),
			credential: credentialFor(running.url),
			settings: { onError: 'continueErrorOutput' },
		});
		await meanwhile?.(running, sandbox);
		const result = await sending;
		if (sends === 'creates') expectTrueReport(result, sandbox);
		const responses = () => running.log().match(/ HTTP\/1\.1" \d/g)?.length ?? 0;
		// nginx logs a response once the service has closed its connection, a moment after the client has the response.
		await until(() => responses() > sandbox.log.counters().requests, 'the proxy has given responses of its own');
		report = reportOf(result);
	};
	await behind(proxy, sandbox.port, work).finally(async () => await sandbox.close());
	return report!;
}

/** Switches nginx's maintenance page on when the run is in full swing, and off eight seconds later. */
async function maintain({ folder }: Running, sandbox: Sandbox): Promise<void> {
	await until(() => sandbox.log.counters().requests >= 75, '75 requests have arrived');
	await writeFile(path.join(folder, MAINTENANCE), '');
	await sleep(8_000);
	await rm(path.join(folder, MAINTENANCE));
}

const testWithNginx = process.env.CI || isInstalled('nginx') ? test.concurrent : test.skip;

for (const status of [200, 302, 404, 503])
	for (const [sends, most] of [
		['gets', 0],
		['creates', FIRST_IN_FLIGHT],
	] as const)
		testWithNginx(
			`nginx, a maintenance page with ${status} for eight seconds amid 300 ${sends}: at most ${most} fail`,
			async () => {
				const { errors } = await run300(nginxWithMaintenance(status), sends, maintain);
				expect(errors.length).toBeLessThanOrEqual(most);
			},
		);

// Half of the creates that are sent are in doubt, however they are sent: fewer are better than more that are done.
for (const status of [502, 503])
	testWithNginx(
		`nginx, one of two servers in turn gives a ${status}: of 300 creates, at most ${FIRST_IN_FLIGHT + 25} are in doubt, the others done or not sent`,
		async () => {
			const { done, unknown, failed } = await run300(nginxWithBadBackend(status), 'creates');
			expect(unknown).toBeLessThanOrEqual(FIRST_IN_FLIGHT + 25);
			expect(done + unknown + failed).toBe(300);
		},
	);

for (const each of CASES) {
	const {
		title,
		proxy: { program },
		count,
		sends,
	} = each;
	const sentence = `${title}: ${count} ${sends}, none twice, none lost`;
	// At the same time, each with a service of its own: most of it is waiting.
	if (process.env.CI || isInstalled(program)) test.concurrent(sentence, async () => await run(each));
	else test.skip(`${sentence} (not run: ${program} is not installed)`, () => {});
}
