import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';

import { ROOT } from '../scripts/run';
import { everyOperation } from '../support/everyOperation';
import { textOf } from './documents';

const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;

/** What `npm pack` would publish: the tarball's size in bytes, and the paths of its files. */
let size: number;
let packed: string[];

beforeAll(() => {
	if (!existsSync(join(ROOT, 'dist'))) throw new Error('There is no dist: run "npm run build" first');
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const output = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	const [tarball] = JSON.parse(output) as [{ size: number; files: Array<{ path: string }> }];
	size = tarball.size;
	packed = tarball.files.map(({ path }) => path);
});

describe('the published package', () => {
	test('has no runtime dependency, and n8n-workflow as its only peer', () => {
		for (const kind of ['dependencies', 'optionalDependencies', 'bundledDependencies', 'bundleDependencies']) {
			expect(manifest).not.toHaveProperty(kind);
		}
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	test('holds dist, the documents and nothing else', () => {
		expect(packed.filter((file) => !file.startsWith('dist/')).sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
		const schemas = everyOperation().map(
			({ resource, operation }) => `__schema__/v1.0.0/${resource}/${operation}.json`,
		);
		const files = ['voiceAdmin.svg', 'voiceAdmin.dark.svg', 'VoiceAdmin.node.json', ...schemas];
		expect(packed).toEqual(expect.arrayContaining(files.map((file) => `dist/nodes/VoiceAdmin/${file}`)));
	});

	test('has at most 71.5 kB, and 2 kB more for each further operation', () => {
		expect(size).toBeLessThanOrEqual(71_500 + 2_000 * (everyOperation().length - 3));
	});

	test("imports nothing but n8n-workflow, Node's crypto and its own files", () => {
		const imported = packed
			.filter((file) => file.endsWith('.js'))
			.flatMap((file) => [...textOf(file).matchAll(/require\("([^"]+)"\)/g)])
			.map(([, module]) => module)
			.filter((module) => !module?.startsWith('.'));
		expect([...new Set(imported)].sort()).toEqual(['crypto', 'n8n-workflow']);
	});

	test('is loaded by n8n with its node, credential, icons and codex', async () => {
		const loader = new PackageDirectoryLoader(ROOT);
		await loader.loadAll();
		const [node] = loader.types.nodes.filter(({ name }) => name === 'voiceAdmin');
		const [credential] = loader.types.credentials;
		const folder = 'icons/n8n-nodes-voice-admin/dist/nodes/VoiceAdmin';
		const icons = { light: `${folder}/voiceAdmin.svg`, dark: `${folder}/voiceAdmin.dark.svg` };
		expect(node).toMatchObject({ displayName: 'Voice Admin', iconUrl: icons });
		expect(node?.codex).toEqual({
			// Those of n8n's nodes panel; it has no subcategories for them.
			categories: ['Communication', 'Sales'],
			alias: expect.arrayContaining([
				'VoIP',
				'SIP',
				'trunk',
				'gateway',
				'premium',
				'VAT',
				'partita IVA',
				'anagrafica',
				'customer',
			]),
			resources: {
				primaryDocumentation: [{ url: `${manifest.homepage as string}` }],
				credentialDocumentation: [{ url: (manifest.homepage as string).replace('#readme', '#credentials') }],
			},
		});
		// n8n adds Request Options to a node that it would run by its routing executor, and runs it in dynamic node
		// parameters where a node has requestDefaults: it evaluates expressions with the decrypted key in scope.
		expect(node?.properties.map(({ name }) => name)).not.toContain('requestOptions');
		expect(node).not.toHaveProperty('requestDefaults');
		expect(credential).toMatchObject({ name: 'voiceAdminApi', iconUrl: icons });
		expect(credential?.supportedNodes).toContain('voiceAdmin');
	});
});
