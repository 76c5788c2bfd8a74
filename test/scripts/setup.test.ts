import { evaluate, inTemporaryFolder, ROOT } from './run';

describe('an install that fails', () => {
	it.each([
		['npm error code ENOTFOUND\nnpm error network getaddrinfo ENOTFOUND registry.example', 'could not be reached (ENOTFOUND)'],
		['prebuild-install warn ENOTFOUND downloads.example\ngyp ERR! not ok', 'It needs python3, make and g++'],
		['something else', 'n8n 2.8.4 could not be installed; the lines above say why.'],
	])('after %j says so', async (output, words) => {
		const result = JSON.stringify({ log: `${ROOT}/.cache/logs/x.log`, output });
		expect(await evaluate('bootstrap/failure.mjs', `module.installFailure('n8n 2.8.4', ${result}).message`)).toContain(words);
	});
});

test('work is done once for the same input, and again where it was interrupted', async () => {
	await inTemporaryFolder(async (folder) => {
		const done = `(async () => {
			const done = [];
			const work = (input, fails) => module.unlessDone(${JSON.stringify(`${folder}/cache/done`)}, () => input, async () => {
				done.push(input);
				if (fails) throw new Error('interrupted');
			}).catch(() => {});
			await work('a');
			await work('a');
			await work('b', true);
			await work('a');
			await work('a');
			return done;
		})()`;
		expect(await evaluate('install/buildCache.mts', done)).toEqual(['a', 'b', 'a']);
	});
});
