import path from 'node:path';
import { evaluate, inTemporaryFolder } from './run';

test('a source that is saved during a build is built by the next one', async () => {
	await inTemporaryFolder(async (folder) => {
		const stamp = JSON.stringify(path.join(folder, 'stamp'));
		const build = `module.runUnlessDone(${stamp}, () => source, async () => { source = 'new'; builds++; })`;
		const program = `(async () => { let [source, builds] = ['old', 0]; for (const _ of '123') await ${build}; return builds; })()`;
		expect(await evaluate('install/buildCache.mts', program)).toBe(2);
	});
});
