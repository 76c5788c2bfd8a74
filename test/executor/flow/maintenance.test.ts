import type { FaultRule, Sandbox } from '../../../sandbox';
import {
	addCustomer,
	CONTINUE,
	credentialFor,
	execute,
	expectTrueReport,
	getGateway,
	numbered,
	reportOf,
	withSandbox,
} from '../../support/executor';

/** Creates in flight: the default of Max Concurrency. */
const IN_FLIGHT = 25;

/** The service has answered a hundred requests with JSON. */
const during = (status: number, path: string): FaultRule[] => [
	{ fault: 'latency', ms: 20 },
	{ fault: 'unavailable', ms: 3_000, status, path, after: 100 },
];

const run = async ({ url }: Sandbox, parameters: ReturnType<typeof getGateway>, items: number) =>
	await execute({ items: numbered(items), parameters, credential: credentialFor(url), settings: CONTINUE });

const statuses = [200, 302, 404, 503];
const paths = [
	['everything', '/'],
	['all but the login', '/v1'],
];

describe.each(paths)('a maintenance page for three seconds, in place of %s', (_, path) => {
	test.concurrent.each(statuses)(
		'as HTML with %i: of 300 creates, those fail at most that were in flight',
		async (status) => {
			await withSandbox(during(status, path!), async (sandbox) => {
				const result = await run(sandbox, addCustomer('={{ "C" + $json.n }}'), 300);
				expectTrueReport(result, sandbox);
				// Where logins pass, a few creates are probes.
				expect(reportOf(result).errors.length).toBeLessThanOrEqual(IN_FLIGHT + (path === '/' ? 0 : 3));
			});
		},
	);
});

test.concurrent.each(['/auth', '/v1'].flatMap((path) => statuses.map((status) => [status, path] as const)))(
	'a maintenance page with %i at %s outlasts Max Wait: the error names the page, and asks nobody to check the credential',
	async (status, path) => {
		// Without a token that is accepted, a login is due.
		const unaccepted: FaultRule[] = path === '/auth' ? [{ fault: 'http', status: 401, path: '/v1' }] : [];
		await withSandbox([], async (sandbox) => {
			const get = async () => await run(sandbox, getGateway('1', { options: { maxWait: 2 } }), 1);
			expect(reportOf(await get())).toMatchObject({ done: 1 });
			sandbox.setFaults([{ fault: 'unavailable', ms: 60_000, status, path }, ...unaccepted]);
			const { errors } = reportOf(await get());
			const { message, description } = errors[0] as unknown as Record<'message' | 'description', string>;
			expect(message).toMatch(/ HTML page titled /);
			expect(message + description).toMatch(/Try again later/);
			expect(message + description).not.toMatch(/[Cc]heck/);
		});
	},
);

test.concurrent(
	'a service that has only given pages is not under maintenance: each of three gets fails at once, as not found',
	async () => {
		await withSandbox([{ fault: 'unavailable', status: 404, ms: 60_000, path: '/v1' }], async (sandbox) => {
			const result = await run(
				sandbox,
				getGateway('={{ $json.n }}', { options: { maxConcurrency: 1, maxWait: 3 } }),
				3,
			);
			expect(reportOf(result).errors.map(({ code }) => code)).toEqual(['not_found', 'not_found', 'not_found']);
			expect(sandbox.getRequests().filter(({ path }) => path.startsWith('/v1'))).toHaveLength(3);
		});
	},
);
