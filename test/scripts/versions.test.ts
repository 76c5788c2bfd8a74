import { evaluate, runNode } from './run';

describe('the version of Node', () => {
	const said = async (version: string) => {
		const asked = "process.argv[2] = 'gate'; process.argv[3] = '--help'";
		const program = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); ${asked}; import('./scripts/run.mjs');`;
		return await runNode(['--eval', program]);
	};

	it.each(['20.19.0', '22.0.0', '26.1.0'])('%s will do', async (version) => {
		expect((await said(version)).output).toContain('npm run gate');
	});

	it.each(['12.22.12', '18.20.4', '20.18.3'])('%s is refused in a sentence that names what is needed', async (version) => {
		const sentence =
			`This project needs Node 20.19 or newer, and this is Node ${version}. ` +
			'Install a newer Node (an even-numbered version such as 22 or 24), then run the command again.\n';
		expect(await said(version)).toEqual({ code: 1, output: sentence });
	});
});

describe('the system', () => {
	const said = async (platform: string) => await runNode(['--eval',
		`Object.defineProperty(process, 'platform', { value: '${platform}' }); process.argv[2] = 'gate'; process.argv[3] = '--help'; import('./scripts/run.mjs');`]);

	it.each(['linux', 'darwin'])('%s will do', async (platform) => {
		expect((await said(platform)).output).toContain('npm run gate');
	});

	it.each(['win32', 'freebsd'])('%s is refused in a sentence that names those that will do', async (platform) => {
		const { code, output } = await said(platform);
		expect([code, output]).toEqual([1, expect.stringMatching(/^This project runs on Linux, on macOS, and on Windows in WSL .*\n$/)]);
	});
});

describe('the n8n for a version of Node', () => {
	const choice = (...args: unknown[]) => evaluate('install/n8nVersions.mts', `module.runtimeFor(...${JSON.stringify(args)})`);

	it.each([
		['20.19.0', '2.8.4'], ['22.12.0', '2.8.4'], ['24.0.0', '2.41.1'], ['25.1.0', '2.41.1'],
	])('Node %s gets n8n %s', async (node, version) => {
		expect(await choice(node)).toEqual({ version, bringNode24: false });
	});

	it('is the one that was asked for, with a Node of its own where it can be had', async () => {
		expect(await choice('20.19.0', '2.41.1', true)).toEqual({ version: '2.41.1', bringNode24: true });
		expect(await choice('24.1.0', '2.8.4')).toEqual({ version: '2.8.4', bringNode24: false });
	});

	it('is refused where this Node cannot run it', async () => {
		expect(await choice('20.19.0', '2.41.1')).toBe(
			'n8n 2.41.1 needs Node 24 or newer, and this is Node 20.19.0. ' +
				'Run the command with that version of Node, or choose another n8n version with --n8n.',
		);
	});
});

test('--n8n-line takes a version, or all of them', async () => {
	const linesOf = async (asked: string) => await evaluate('install/n8nVersions.mts', `module.linesOf(['${asked}'])`);
	expect(await linesOf('2.30.8')).toEqual(['2.30.8']);
	expect(await linesOf('all')).toEqual(expect.arrayContaining(['2.11.4', '2.30.8', '2.41.1']));
});
