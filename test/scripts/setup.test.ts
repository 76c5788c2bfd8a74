import { evaluate, inTemporaryFolder, ROOT } from './run';

describe('an install without a network', () => {
	it('says that the registry could not be reached, and soon', async () => {
		const started = Date.now();
		expect(await evaluate('setup/registry.mjs', 'module.requireRegistry()', { npm_config_registry: 'http://127.0.0.1:9' })).toBe(
			'The npm registry could not be reached (ECONNREFUSED 127.0.0.1:9). Check the network connection, the proxy settings and ' +
				'the answer of `npm config get registry`, then run the command again: it goes on where it stopped.',
		);
		expect(Date.now() - started).toBeLessThan(10_000);
	});
});

describe('an install that fails', () => {
	const sentence = async (output: string) =>
		await evaluate('setup/install-failure.mjs', `module.installFailure('n8n 2.8.4', { log: ${JSON.stringify(`${ROOT}/.cache/logs/x.log`)}, output: ${JSON.stringify(output)} })`.concat('.message'));

	it.each([
		['npm error code ENOSPC', 'The disk is full'],
		['npm error code ENOTFOUND\nnpm error network getaddrinfo ENOTFOUND registry.example', 'could not be reached (ENOTFOUND registry.example)'],
		['prebuild-install warn ENOTFOUND downloads.example\ngyp ERR! not ok', 'It needs python3, make and g++'],
		['npm error code EUSAGE', 'The lock file for n8n 2.8.4 does not fit its package.json'],
		['npm error code EACCES', 'could not be written'],
		['something else', 'n8n 2.8.4 could not be installed; the lines above say why.'],
	])('after %j says so', async (output, words) => {
		expect(await sentence(output)).toContain(words);
	});
});

describe('the note that work was finished', () => {
	it('is there only after the work, and for the same input', async () => {
		await inTemporaryFolder(async (folder) => {
			const file = JSON.stringify(`${folder}/note/stamp`);
			const told = await evaluate(
				'setup/stamp.mjs',
				`(() => {
					const stamp = module.stamp(${file});
					const before = stamp.matches('a');
					stamp.write('a');
					const after = [stamp.matches('a'), stamp.matches('b')];
					stamp.clear();
					return [before, ...after, stamp.matches('a')];
				})()`,
			);
			expect(told).toEqual([false, true, false, false]);
		});
	});
});
