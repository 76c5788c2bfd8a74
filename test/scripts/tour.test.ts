import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import tour from '../../examples/tour.json';
import { evaluate, ROOT } from './run';

const nodesOfTour = tour.nodes.filter(({ type }) => type === 'n8n-nodes-voice-admin.voiceAdmin');

it('the tour has an expectation for each of its nodes, and none for others, and reaches all of them', async () => {
	const names = nodesOfTour.map(({ name }) => name).sort();
	expect(((await evaluate('demo/tour.mts', 'Object.keys(module.EXPECTED_OUTPUTS)')) as string[]).sort()).toEqual(names);
	expect(
		Object.values(tour.connections)
			.flatMap(({ main }) => main.flat().map(({ node }) => node))
			.sort(),
	).toEqual(names);
});

interface Imported {
	id: string;
	nodes: Array<{ type: string; credentials?: Record<string, { id: string; name: string }> }>;
}

const imported = async () =>
	(await evaluate(
		'demo/examples.mts',
		'[...module.readExamples().values()].map(module.setSandboxCredential)',
	)) as Imported[];

describe('the sub-workflows that npm start publishes', () => {
	const ID = 'createCustomersOnce';

	/** What is published, and what is said, in an n8n that responds to some requests in this way. */
	async function publishIn(responses: Record<string, [status: number, content: object]>) {
		const requests: string[] = [];
		const n8n = http.createServer(({ method, url }, response) => {
			const request = `${method} ${url}`;
			requests.push(request);
			const [status, content] = responses[request] ?? [200, { data: { active: false, versionId: '1', nodes: [] } }];
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
		});
		await once(n8n.listen(0, '127.0.0.1'), 'listening');
		const server = {
			url: `http://127.0.0.1:${(n8n.address() as AddressInfo).port}`,
			owner: { email: 'demo@voice-admin.example', password: 'A1-first', firstName: '', lastName: '' },
		};
		const problem = await evaluate('demo/tour.mts', `module.publishSubWorkflows(${JSON.stringify(server)})`);
		n8n.close();
		return { problem, published: requests.filter((request) => request.endsWith('/activate')) };
	}

	it('are published once', async () => {
		expect(await publishIn({})).toEqual({
			problem: undefined,
			published: expect.arrayContaining([`POST /rest/workflows/${ID}/activate`]) as unknown,
		});
		const active = { data: { active: true } };
		const { published } = await publishIn({ [`GET /rest/workflows/${ID}`]: [200, active] });
		expect(published).not.toContain(`POST /rest/workflows/${ID}/activate`);
	});
});

describe('the workflows that npm start brings along', () => {
	it('are all of examples/, each with an id of its own, so that the next start replaces it', async () => {
		const ids = (await imported()).map(({ id }) => id);
		const files = readdirSync(path.join(ROOT, 'examples')).filter((file) => file.endsWith('.json'));
		expect(new Set(ids).size).toBe(files.length);
		expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[\w-]{1,36}$/)));
	});

	it('have a credential of the sandbox in every node of this package, and no other', async () => {
		const nodes = (await imported()).flatMap((workflow) => workflow.nodes);
		const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-voice-admin.'));
		const ids = [...new Set(ours.map(({ credentials }) => credentials?.voiceAdminApi?.id))];
		expect(ids.sort()).toEqual(['voiceAdminSandbox', 'voiceAdminSandboxReader']);
	});
});
