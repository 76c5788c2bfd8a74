import path from 'node:path';
import { evaluate, inTemporaryFolder } from './run';

test('a source that is saved during a build is built by the next one', async () => {
	await inTemporaryFolder(async (folder) => {
		const stamp = JSON.stringify(path.join(folder, 'stamp'));
		const build = `module.runUnlessDone(${stamp}, () => source, async () => { source = 'new'; builds++; })`;
		const program = `(async () => { let [source, builds] = ['old', 0]; for (const _ of '123') await ${build}; return builds; })()`;
		expect(await evaluate('install/stamp.mts', program)).toBe(2);
	});
});

test('what a build made is used before the next command builds', async () => {
	await inTemporaryFolder(async (folder) => {
		const build = (nth: number) => `module.runUnlessDone(
			${JSON.stringify(path.join(folder, 'stamp'))}, () => '${nth}', async () => { dist = ${nth}; }, () => '',
			async () => { await new Promise((resolve) => setTimeout(resolve, 700)); return dist; })`;
		const program = `(async () => { let dist; return await Promise.all([${build(1)}, ${build(2)}]); })()`;
		expect(await evaluate('install/stamp.mts', program)).toEqual([1, 2]);
	});
});
