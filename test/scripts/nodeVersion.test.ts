import { evaluate } from './run';

const problem = (version: string) => evaluate('bootstrap/nodeVersion.mjs', `module.nodeProblem('${version}')`);

describe('the version of Node', () => {
	it.each(['20.19.0', 'v20.20.2', '22.0.0', '24.21.0', '26.1.0'])('%s will do', async (version) => {
		expect(await problem(version)).toBeUndefined();
	});

	it.each(['12.22.12', '18.20.4', '20.18.3'])('%s is refused in a sentence that names what is needed', async (version) => {
		expect(await problem(version)).toBe(
			`This project needs Node 20.19 or newer, and this is Node ${version}. ` +
				'Install a newer Node (an even-numbered version such as 22 or 24), then run the command again.',
		);
	});
});

describe('the n8n for a version of Node', () => {
	const choice = (node: string, wish = '{}') => evaluate('install/n8nVersions.mts', `module.runtimeFor('${node}', ${wish})`);

	it.each([
		['20.19.0', '2.8.4'],
		['22.12.0', '2.8.4'],
		['24.0.0', '2.41.1'],
		['25.1.0', '2.41.1'],
	])('Node %s gets n8n %s', async (node, version) => {
		expect(await choice(node)).toEqual({ version, bringNode24: false });
	});

	it('is the one that was asked for, with a Node of its own where it can be had', async () => {
		expect(await choice('20.19.0', "{ asked: '2.41.1', canBringNode24: true }")).toEqual({ version: '2.41.1', bringNode24: true });
		expect(await choice('24.1.0', "{ asked: '2.8.4' }")).toEqual({ version: '2.8.4', bringNode24: false });
	});

	it('is refused where this Node cannot run it', async () => {
		expect(await choice('20.19.0', "{ asked: '2.41.1' }")).toBe(
			'n8n 2.41.1 needs Node 24 or newer, and this is Node 20.19.0. Run the command with that version of Node, or choose another n8n version with --n8n.',
		);
	});
});
