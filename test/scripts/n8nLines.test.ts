import { evaluate } from './run';

const linesOf = async (text: string) => await evaluate('install/n8nLines.mts', `module.linesOf('${text}', '--n8n-line')`);

test('--n8n-line takes a version, or all of them', async () => {
	expect(await linesOf('2.30.8')).toEqual(['2.30.8']);
	expect(await linesOf('all')).toEqual(expect.arrayContaining(['2.11.4', '2.30.8', '2.41.1']));
});

test('--n8n-line refuses a version that is not there, with those that are', async () => {
	expect(await linesOf('2.9.0')).toMatch(/^--n8n-line takes one of 2\.11\.4, .+, 2\.41\.1, or all, not 2\.9\.0\.$/);
});
