import {
	CONTINUE,
	credentialFor,
	execute,
	getGateway,
	json,
	makeTimeFaster,
	numbered,
	Polling,
	setPremium,
	startService,
} from '../support/executor';
import { sandbox } from '../support/executor/sandboxOfEachTest';

// What an outage costs is in the simulation, and in e2e/storm.
test.each([
	// The requests of eight in forty are never accepted.
	[
		'eight of forty gateways',
		40,
		getGateway('={{ $json.n + 1 }}'),
		(target: string) => Number(target.split('/').at(-1)) % 5 === 0,
		[8, 2, 70],
	],
	['every request', 100, setPremium(1, 'IT'), () => true, [100, 3, 300]],
] as const)(
	'a 401 for %s costs few logins and requests',
	async (_what, count, parameters, isRefused, [refused, logins, requests]) => {
		const service = await startService(({ target }, response) =>
			isRefused(target) ? json(response, 401, { message: 'Unauthorized' }) : json(response, 200, { id: target }),
		);
		const startedAt = performance.now();
		const { output } = await execute({
			items: numbered(count),
			parameters,
			credential: credentialFor(service.url),
			settings: CONTINUE,
		});
		expect(
			output.filter(({ json: { error } }) => (error as { outcome?: string } | undefined)?.outcome === 'not_done'),
		).toHaveLength(refused);
		// On a busy machine a token's grace period is over when it is refused, and is replaced once more.
		const late = Math.floor((performance.now() - startedAt) / 5_000);
		expect(service.logins.length).toBeLessThanOrEqual(logins + late);
		expect(service.requests.length).toBeLessThanOrEqual(requests + late * refused * 2);
	},
);

test('a gateway whose request is never accepted costs a login a poll at most', async () => {
	makeTimeFaster(10);
	const service = await startService(({ target }, response) =>
		target.endsWith('/2') ? json(response, 401, { message: 'Unauthorized' }) : json(response, 200, { id: target }),
	);
	const trigger = new Polling({ gatewayIds: '1, 2, 3' }, credentialFor(service.url));
	for (let polls = 0; polls < 4; polls++) await trigger.poll();
	expect(service.logins.length).toBeLessThanOrEqual(5);
	expect(service.requests.filter(({ target }) => target.endsWith('/2')).length).toBeLessThanOrEqual(30);
});

test('a poll waits for half a minute, and keeps what it knows', async () => {
	makeTimeFaster(20);
	const trigger = new Polling({ gatewayIds: '1' }, credentialFor(sandbox.url));
	await trigger.poll();
	sandbox.setFaults({ rules: [{ fault: 'unavailable', ms: 60_000 }] });
	expect((await trigger.poll()).error).toMatchObject({ context: { code: 'service_error' } });
	sandbox.setFaults({ rules: [] });
	expect(await trigger.poll()).toMatchObject({ items: null });
});
