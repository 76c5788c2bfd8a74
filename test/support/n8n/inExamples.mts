import { type Sandbox } from '../../../sandbox';
import { importInto } from '../../../scripts/n8n/cli.mts';
import { credentialFor } from '../executor/credentialStore';
import type { Example } from './example.mts';
import { n8n, startOwnSandbox } from './n8n.mts';
import { type N8nServer, sharedServer } from './n8nServer.mts';
import { type Receiver, startReceiver } from './receiver.mts';
import { ScriptedModel } from './scriptedModel.mts';

const START_WITHIN_MS = 300_000;

/** What the examples work with. */
export interface ExamplesFixture {
	sandbox: Sandbox;
	/** Takes what a workflow would tell people. */
	people: Receiver;
	model: ScriptedModel;
	server: N8nServer;
}

/** Variants of the examples, changed as their notes say. */
export type Prepare = (fixture: Omit<ExamplesFixture, 'server'>) => Promise<Example[]>;

/** The credential that the examples ask for by its name. */
const ACCOUNT = 'Voice Admin account';

/**
 * Starts, once for all examples, a sandbox and a model, and puts into n8n the examples and, under the names that they
 * ask for, credentials: so nobody needs to pick them. Each test finds the sandbox's data as it was at first.
 * @param prepare what is to be imported
 * @param published ids of those workflows that wait for somebody
 * @param account name of the credential, another one for workflows that run beside those of another file
 */
export function inExamples(prepare: Prepare[], published: string[], account = ACCOUNT): () => ExamplesFixture {
	let fixture: ExamplesFixture | undefined;
	const services: Array<{ close(): Promise<void> }> = [];
	const own = <T extends { close(): Promise<void> }>(service: T): T => {
		services.push(service);
		return service;
	};

	beforeAll(async () => {
		const given = { sandbox: own(await startOwnSandbox()), people: own(await startReceiver()), model: own(await ScriptedModel.start()) };
		const model = { id: 'openAiAccount', name: 'OpenAI account', type: 'openAiApi', data: { apiKey: 'a-local-model-needs-none', url: given.model.url } };
		await importInto(n8n, {
			credentials: [
				{ id: account.replaceAll(' ', ''), name: account, type: 'voiceAdminApi', data: credentialFor(given.sandbox.url) },
				...(account === ACCOUNT ? [model] : []),
			],
			workflow: (await Promise.all(prepare.map(async (each) => await each(given)))).flat(),
		});
		fixture = { ...given, server: sharedServer() };
		for (const id of published) await fixture.server.publish(id);
	}, START_WITHIN_MS);

	beforeEach(() => {
		fixture?.sandbox.reset();
		fixture?.people.taken();
	});

	afterAll(async () => {
		// Other tests of this n8n are not to be disturbed by what waits or polls.
		for (const id of published) await fixture?.server.publish(id, false);
		for (const service of services) await service.close();
	}, START_WITHIN_MS);

	return () => {
		if (!fixture) throw new Error('n8n did not start; the failure of the first test says why');
		return fixture;
	};
}
