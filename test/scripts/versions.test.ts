import { evaluate, runNode } from './run';

describe('npm run gate -- --help', () => {
	const on = (version: string, platform: string) =>
		runNode([
			'--eval',
			`
		Object.defineProperty(process.versions, 'node', { value: '${version}' });
		Object.defineProperty(process, 'platform', { value: '${platform}' });
		process.argv.push('scripts/run.mjs', 'gate', '--help');
		import('./scripts/run.mjs');
	`,
		]);

	it.each(['12.22.12', '18.20.4', '20.18.3'])(
		'is refused on Node %s in a sentence that names what is needed',
		async (version) => {
			const sentence =
				`This project needs Node 20.19 or newer, and this is Node ${version}. ` +
				'Install a newer Node (an even-numbered version such as 22 or 24), then run the command again.\n';
			expect(await on(version, 'linux')).toEqual({ code: 1, output: sentence });
		},
	);

	it.each(['win32', 'freebsd'])(
		'is refused on %s in a sentence that names the systems that will do',
		async (platform) => {
			const output = expect.stringMatching(
				/^This project runs on Linux, on macOS, and on Windows in WSL .*\n$/,
			) as unknown;
			expect(await on('22.0.0', platform)).toEqual({ code: 1, output });
		},
	);
});

describe('the n8n for a version of Node', () => {
	const choice = (...args: unknown[]) =>
		evaluate('install/runtime.mts', `module.chooseN8n(...${JSON.stringify(args)})`);

	it.each([
		[['20.19.0'], '2.8.4', false],
		[['24.0.0'], '2.41.1', false],
		// Asked for: on a machine that Node 24 can be installed on, and on one whose Node supports it.
		[['20.19.0', '2.41.1', true], '2.41.1', true],
		[['24.1.0', '2.8.4'], '2.8.4', false],
	])('of %j is n8n %s, with a Node of its own: %p', async (args, version, needsOwnNode24) => {
		expect(await choice(...args)).toEqual({ version, needsOwnNode24 });
	});

	it('is refused where this Node cannot run it', async () => {
		expect(await choice('20.19.0', '2.41.1')).toBe(
			'n8n 2.41.1 needs Node 24 or newer, and this is Node 20.19.0. ' +
				'Run the command with that version of Node, or choose another n8n version with --n8n.',
		);
	});
});
