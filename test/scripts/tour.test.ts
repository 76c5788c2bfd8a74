import { readdirSync } from 'node:fs';
import path from 'node:path';

import tour from '../../examples/tour.json';
import { evaluate, ROOT } from './run';

const nodesOfTour = tour.nodes.filter(({ type }) => type === 'n8n-nodes-voice-admin.voiceAdmin');

it('the tour has an expectation for each of its nodes, and none for others, and reaches all of them', async () => {
	const names = nodesOfTour.map(({ name }) => name).sort();
	expect(((await evaluate('demo/tour.mts', 'Object.keys(module.EXPECTED)')) as string[]).sort()).toEqual(names);
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
		'[...module.readExamples().values()].map(module.withSandboxCredential)',
	)) as Imported[];

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
