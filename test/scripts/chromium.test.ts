import { evaluate, runScript } from './run';

test('the browser tests end at once without a Chromium, and say what to install, and how to name one that is elsewhere', async () => {
	const { code, output } = await runScript('e2e:browser', [], { CHROMIUM: '/nowhere/chromium' });
	expect(code).toBe(1);
	expect(output).toContain('CHROMIUM is /nowhere/chromium, which is not a program that can be run.');
	expect(output).toContain('apt-get install chromium');
	expect(output).not.toContain('    at ');
});

test('the path in CHROMIUM is taken before any other', async () => {
	expect(await evaluate('servers/chromium.mts', 'module.findChromium()', { CHROMIUM: process.execPath })).toBe(process.execPath);
});
