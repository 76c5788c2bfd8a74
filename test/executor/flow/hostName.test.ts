import dns from 'node:dns';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	expectTrueReport,
	getGateway,
	numbered,
	reportOf,
	until,
} from '../../support/executor';
import { sandbox } from '../../support/executor/sandboxOfEachTest';

const HOST = 'voice-admin.example';

/** What Node asks the system for, as a resolver answers it that knows this host name, or for a time doesn't. */
class Resolver {
	isKnown = true;

	/** Look-ups of a host name that was not known. */
	notFound = 0;

	constructor() {
		const { lookup } = dns;
		const resolve = (name: string, ...rest: unknown[]) => {
			if (name !== HOST) return Reflect.apply(lookup, dns, [name, ...rest]) as unknown;
			if (this.isKnown) return Reflect.apply(lookup, dns, ['127.0.0.1', ...rest]) as unknown;
			this.notFound += 1;
			// As Node has it.
			const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
				errno: -3008,
				code: 'ENOTFOUND',
				syscall: 'getaddrinfo',
				hostname: name,
			});
			setImmediate(rest.at(-1) as (failure: Error) => void, error);
		};
		jest.spyOn(dns, 'lookup').mockImplementation(resolve as never);
	}
}

const credential = () => credentialFor(`http://${HOST}:${sandbox.port}`);

/** n8n opens a connection for each request, and so needs the host name again. */
beforeEach(() => sandbox.setFaults([{ fault: 'latency', ms: 50 }]));

test.each([
	['gets', getGateway('={{ $json.n % 12 + 1 }}', { options: { maxConcurrency: 10 } })],
	['creates', addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 10 } })],
] as const)(
	'300 %s are all done though the host name is not found for five seconds in between',
	async (kind, parameters) => {
		const resolver = new Resolver();
		const running = execute({ items: numbered(300), parameters, credential: credential(), settings: CONTINUE });
		await until(() => sandbox.getRecordsAndCounters().counters.requests > 60, '60 requests have arrived');
		resolver.isKnown = false;
		setTimeout(() => (resolver.isKnown = true), 5_000).unref();
		const result = await running;
		expect(resolver.notFound).toBeGreaterThan(0);
		expect(reportOf(result)).toMatchObject({ done: 300, messages: [] });
		if (kind === 'creates') expectTrueReport(result, sandbox);
	},
);

test('a host name that was never found fails at once', async () => {
	const resolver = new Resolver();
	resolver.isKnown = false;
	sandbox.setFaults([]);
	const parameters = getGateway('1');
	const result = await execute({ items: numbered(300), parameters, credential: credential(), settings: CONTINUE });
	const { done, failed, errors } = reportOf(result);
	expect([done, failed, sandbox.getRequests()]).toEqual([0, 300, []]);
	expect(errors[0]).toMatchObject({ outcome: 'not_sent', message: expect.stringContaining('host name') });
	// One login for all.
	expect(resolver.notFound).toBeLessThanOrEqual(2);
});
