import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox';
import { importInto } from '../../../scripts/n8n/cli.mts';
import { credentialFor } from '../executor/credentialStore';
import type { Example } from './example.mts';
import { n8n, type N8nServer, sharedServer, startOwnSandbox } from './n8n.mts';
import { json, Recorder } from '../recorder';
import { type ScriptedModel, startScriptedModel } from './scriptedModel.mts';

/** What the examples work with. */
export interface ExamplesFixture {
	sandbox: Sandbox;
	/** Where workflows post what they would otherwise tell people; gives what has come since it was last asked. */
	people: { url: string; taken: () => IDataObject[] };
	model: ScriptedModel;
	server: N8nServer;
}

/** Variants of the examples, changed as their notes say. */
export type Prepare = (fixture: Pick<ExamplesFixture, 'people'>) => Promise<Example[]>;

interface ExampleTests {
	/** Workflows to publish, as they wait for somebody. */
	IDS?: string[];
	/** What is to be imported. */
	prepare: Prepare;
	tests(fixture: () => ExamplesFixture): void;
}

/**
 * Starts, once for all examples, a sandbox and a model, and puts into n8n the examples and, under the names that they
 * ask for, credentials: so nobody needs to pick them. Each test finds the sandbox's data as it was at first, and no data
 * table.
 */
export function testExamples(examples: Record<string, ExampleTests>): void {
	let fixture: ExamplesFixture | undefined;
	const server = sharedServer();
	const published = Object.values(examples).flatMap(({ IDS = [] }) => IDS);
	const services: Array<{ close(): Promise<void> }> = [];

	beforeAll(async () => {
		const received = await Recorder.start((_request, response) => json(response, 200, {}));
		const taken = () => received.requests.splice(0).map(({ body }) => JSON.parse(body) as IDataObject);
		const people = { url: `${received.url}/`, taken };
		const [sandbox, model] = [await startOwnSandbox(), await startScriptedModel()];
		services.push(received, sandbox, model);
		const credential = (name: string, type: string, data: object) => ({
			id: name.replaceAll(' ', ''),
			name,
			type,
			data,
		});
		await importInto(n8n, {
			credentials: [
				credential('Voice Admin account', 'voiceAdminApi', credentialFor(sandbox.url)),
				credential('OpenAI account', 'openAiApi', { apiKey: 'a-local-model-needs-none', url: model.url }),
			],
			workflow: (
				await Promise.all(Object.values(examples).map(async ({ prepare }) => await prepare({ people })))
			).flat(),
		});
		fixture = { sandbox, people, model, server };
		for (const id of published) await server.publish(id);
	});

	beforeEach(async () => {
		fixture?.sandbox.reset();
		fixture?.people.taken();
		const tables = await server.rest<{ data: Array<{ id: string; projectId: string }> }>('GET', '/data-tables-global');
		for (const { id, projectId } of tables.data)
			await server.rest('DELETE', `/projects/${projectId}/data-tables/${id}`);
	});

	afterAll(async () => {
		// Other tests of this n8n are not to be disturbed by what waits or polls.
		for (const id of published) await server.publish(id, false);
		for (const service of services) await service.close();
	});

	for (const [title, { tests }] of Object.entries(examples))
		describe(title, () =>
			tests(() => {
				if (!fixture) throw new Error('n8n did not start; the failure of the first test says why');
				return fixture;
			}),
		);
}
