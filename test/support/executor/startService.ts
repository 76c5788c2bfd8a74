import { setTimeout as sleep } from 'node:timers/promises';

import { json, Recorder, type Script } from '../recorder';
import { until } from '../until';

const started: Recorder[] = [];

afterEach(async () => {
	for (const service of started.splice(0)) await service.close();
});

/** Closes a service when the test has ended. */
export function closedAfterTest<Service extends Recorder>(service: Service): Service {
	started.push(service);
	return service;
}

/** Starts a service that responds as the test says, and is closed when the test has ended. */
export async function startService(script: Script, loginScript?: Script): Promise<Recorder> {
	return closedAfterTest(await Recorder.start(script, loginScript));
}

/** Starts a service that answers nothing before so many requests are in flight. `peak` is how many there were at most. */
export async function startCrowded(inFlight: number): Promise<{ service: Recorder; peak: () => number }> {
	let peak = 0;
	let answered = 0;
	const service = await startService(({ target }, response) => {
		peak = Math.max(peak, service.requests.length - answered);
		void until(() => service.requests.length >= inFlight, `${inFlight} requests are in flight`)
			// More than may be in flight would arrive meanwhile, on a busy machine too.
			.then(async () => await sleep(500))
			.then(() => (answered++, json(response, 200, { id: target.split('/').at(-1) })));
	});
	return { service, peak: () => peak };
}
