import { evaluate, inTemporaryFolder, runScript } from './run';

const HOW = 'apt-get install chromium';

describe('a machine without Chromium', () => {
	it('is told what to install, and how to name one that is elsewhere', async () => {
		await inTemporaryFolder(async (empty) => {
			const told = await evaluate('servers/chromium.mts', 'module.findChromium()', { CHROMIUM: '', PATH: empty });
			// Chrome in the Applications folder is found without the PATH.
			if (process.platform !== 'linux') return;
			expect(told).toContain('Neither Chromium nor Chrome was found');
			expect(told).toContain(HOW);
			expect(told).toContain('CHROMIUM=/path/to/chrome');
		});
	});

	it('is told that the path in CHROMIUM is none', async () => {
		const told = await evaluate('servers/chromium.mts', 'module.findChromium()', { CHROMIUM: '/nowhere/chromium' });
		expect(told).toContain('CHROMIUM is /nowhere/chromium, which is not a program that can be run.');
		expect(told).toContain(HOW);
	});

	it('fails the run of the browser tests at once', async () => {
		const { code, output } = await runScript('e2e:browser', [], { CHROMIUM: '/nowhere/chromium' });
		expect(code).toBe(1);
		expect(output).toContain(HOW);
		expect(output).not.toContain('    at ');
	});
});

test('the path in CHROMIUM is taken before any other', async () => {
	expect(await evaluate('servers/chromium.mts', 'module.findChromium()', { CHROMIUM: process.execPath })).toBe(process.execPath);
});
