import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inTemporaryFolder, runScript } from './run';

const MANIFEST = {
	name: 'n8n-nodes-x',
	version: '1.2.3',
	author: { name: 'Owner', email: 'owner@owner.test' },
	homepage: 'https://github.com/owner/n8n-nodes-x#readme',
	repository: { type: 'git', url: 'git+https://github.com/owner/n8n-nodes-x.git' },
};
// In brackets or not, as Keep a Changelog writes a version.
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n## [1.2.3] - 2024-02-29\n\n- Something.\n\n## 1.2.2\n';

const PLACEHOLDER = 'https://github.com/n8n-nodes-voice-admin/n8n-nodes-voice-admin';

interface Release {
	manifest?: object;
	changelog?: string;
	/** Others, by name. */
	files?: Record<string, string>;
	args?: string[];
}

/** What `npm run release:check` says in a folder with such a package. */
async function check({ manifest = {}, changelog = CHANGELOG, files: others = {}, args = [] }: Release) {
	return await inTemporaryFolder(async (folder) => {
		const files = {
			'package.json': JSON.stringify({ ...MANIFEST, ...manifest }),
			'CHANGELOG.md': changelog,
			'README.md': '# A node\n',
			...others,
		};
		for (const [name, text] of Object.entries(files)) {
			await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
			await writeFile(path.join(folder, name), text);
		}
		const { code, output } = await runScript('release:check', args, {}, folder);
		return { code, lines: output.trim().split('\n') };
	});
}

describe('npm run release:check', () => {
	it('lets a version through whose tag, changelog and owner are right', async () => {
		const args = ['--tag', 'v1.2.3', '--repository', 'owner/n8n-nodes-x'];
		expect(await check({ args })).toEqual({ code: 0, lines: ['✓ n8n-nodes-x 1.2.3 can be published.'] });
	});

	const unnamed = { name: 'maintainers', email: 'maintainers@n8n-nodes-voice-admin.example' };

	it.each<[string, Release, string]>([
		[
			'a tag without its "v"',
			{ args: ['--tag', '1.2.3'] },
			'The tag is 1.2.3, but package.json has the version 1.2.3: rename the tag to v1.2.3',
		],
		[
			'a version that is only under Unreleased',
			{ changelog: CHANGELOG.replace('## [1.2.3] - 2024-02-29', '') },
			'CHANGELOG.md has no section "## 1.2.3 - YYYY-MM-DD"',
		],
		['an author who is a placeholder', { manifest: { author: unnamed } }, 'package.json: "author" is a placeholder'],
		[
			'another repository than that of the package',
			{ args: ['--repository', 'fork/n8n-nodes-x'] },
			'but fork/n8n-nodes-x is publishing',
		],
		[
			'a README that says that there is no package yet',
			{ files: { 'README.md': "# A node\n\nTested. It isn't on npm yet: build it." } },
			'README.md:3 has a sentence that says that it is not on npm.',
		],
		[
			'a linked document in which the repository is a placeholder',
			{ files: { 'README.md': '[More](docs/a.md#x)', 'docs/a.md': '[B](../b.md)', 'b.md': `\n${PLACEHOLDER}/issues` } },
			'b.md:2 has a placeholder for the owner.',
		],
		[
			'a node whose documentation is at the placeholder',
			{ files: { 'nodes/A.node.json': `"${PLACEHOLDER}#readme"` } },
			'nodes/A.node.json:1 has a placeholder for the owner.',
		],
	])('refuses %s', async (_, release, words) => {
		expect(await check(release)).toEqual({ code: 1, lines: [expect.stringContaining(words)] });
	});
});
