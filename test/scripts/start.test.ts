import { startSandbox } from '../../sandbox';
import { copyClone, inTemporaryFolder, runNode, runScript } from './run';

const start = (...args: string[]) => runScript('start', args);

describe('npm start', () => {
	it.each([
		[['--port', '4000', '--sandbox-port', '4000'], "n8n and the sandbox can't share port 4000"],
		[['--n8n', '1.0.0'], "'1.0.0' is invalid. Allowed choices are 2.8.4, 2.41.1, newest."],
	])('refuses %j', async (args, sentence) => {
		expect(await start(...args)).toEqual({ code: 1, output: expect.stringContaining(sentence) });
	});

	it('says before it installs anything that it runs already, or else that a port is in use', async () => {
		await inTemporaryFolder(async (clone) => {
			await copyClone(clone, 'runtimes/n8n-core/package.json');
			const taken = await startSandbox();
			// The other one is below those that the system gives to another test meanwhile.
			const ports = ['--port', taken.port, '--sandbox-port', 11_000 + Math.floor(Math.random() * 20_000)];
			const run = `spawnSync(process.execPath, ['scripts/run.mjs', 'start', ...${JSON.stringify(ports.map(String))}], { stdio: 'inherit' })`;
			const twice = `
				import { spawnSync } from 'node:child_process';
				import { takeLock } from './scripts/bootstrap/lock.mjs';
				${run};
				await takeLock('npm start', 'demo');
				${run};
			`;
			const args = ['--input-type=module', '--eval', twice];
			const { output } = await runNode(args, { VOICE_ADMIN_NO_INSTALL: '1' }, clone);
			await taken.close();
			expect(output.trim().split(/\n+/)).toEqual([
				`Port ${taken.port} is in use by another program. End that program, or choose another port (--port).`,
				'npm start is already running in this clone. End it with Ctrl-C first, or make a second clone.',
			]);
		});
	});
});
