import { Recorder, type Script } from '../recorder';

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
