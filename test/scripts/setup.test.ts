import { evaluate, ROOT } from './run';

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
