import { readdirSync } from 'node:fs';
import path from 'node:path';

import { evaluate, ROOT } from './run';

interface Imported {
	id: string;
	nodes: Array<{ type: string; credentials?: Record<string, { id: string; name: string }> }>;
}

const imported = async () => (await evaluate('demo/examples.mts', '(await module.exampleWorkflows()).map(module.withSandboxCredential)')) as Imported[];

describe('the workflows that npm start brings along', () => {
	it('are all of examples/, each with an id of its own, so that the next start replaces it', async () => {
		const ids = (await imported()).map(({ id }) => id);
		expect(new Set(ids).size).toBe(readdirSync(path.join(ROOT, 'examples')).filter((file) => file.endsWith('.json')).length);
		expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[\w-]{1,36}$/)));
	});

	it('have a credential of the sandbox in every node of this package, and no other', async () => {
		const nodes = (await imported()).flatMap((workflow) => workflow.nodes).filter(({ type }) => type.startsWith('n8n-nodes-voice-admin.'));
		const ids = [...new Set(nodes.map(({ credentials }) => credentials?.voiceAdminApi?.id))];
		expect(ids.sort()).toEqual(['voiceAdminSandbox', 'voiceAdminSandboxReader']);
	});
});
