import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { DEMO, fromRoot, LOGS } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { loadTour, publishSubWorkflows, showTour, TOUR_ID } from '../demo/tour.mts';
import { RELOADING, watchSources } from '../demo/watch.mts';
import { n8nOption } from '../install/n8nVersions.mts';
import { chooseRuntime, prepare } from '../install/runtime.mts';
import { commandLine, defineCommand, numberFrom } from './command.mts';
import { takeLock } from '../bootstrap/lock.mjs';
import { requireFreePort } from '../servers/ports.mts';
import { executeWorkflow } from '../n8n/cli.mts';
import { n8nAt } from '../n8n/home.mts';
import { serveEditor } from '../n8n/server.mts';
import { startSandboxProcess } from '../servers/sandbox.mts';

const name = 'npm start';
const PORT = numberFrom(1, 65535);

export const start = defineCommand(
	commandLine(
		name,
		`Installs what is needed, starts a sandbox of the API and a real n8n with this package,
runs the tour workflow once, and keeps n8n's editor running until Ctrl-C.`,
	)
		.option('--watch', 'reload the package in n8n on each save, and skip the tour; npm run dev does this', false)
		.option('--reset', 'import examples and credentials again, replacing your changes to them in n8n', false)
		.option('--once', 'stop after the tour; exit code 0 only if all results are as expected', false)
		.option('--port <N>', "port of n8n's editor", PORT, 5678)
		.option('--sandbox-port <N>', 'port of the sandbox', PORT, 3456)
		.addOption(n8nOption()),
	async ({ once, watch, reset, port, sandboxPort, n8n: version }, { runsUntilStopped }) => {
		if (port === sandboxPort) {
			throw new Failure(
				`n8n and the sandbox can't share port ${port}: give --port and --sandbox-port different values.`,
			);
		}
		if (once && watch) throw new Failure("--once and --watch can't be combined: --watch skips the tour.");
		const choice = chooseRuntime(version);
		// Checked before the long install.
		await requireFreePort(sandboxPort, '--sandbox-port');
		// --once starts no editor.
		if (!once) await requireFreePort(port, '--port');
		await takeLock(name, 'demo');
		const installed = await prepare(choice);
		const n8n = n8nAt(installed, path.join(DEMO, `n8n-${installed.version}`), watch ? RELOADING : {});

		const sandbox = await step('Starting the sandbox', () => startSandboxProcess(sandboxPort, { watch }));
		await loadTour(n8n, sandbox.url, reset);
		const tourFailed = (error: unknown) => {
			if (once) throw error;
			console.log('The tour did not run: it may be deleted. npm start -- --reset imports it again.');
		};
		// In parallel, as each start of n8n takes seconds.
		const [execution, editor] = await step(
			`Starting n8n ${n8n.version}${watch ? '' : ' and running the tour in it'}`,
			() =>
				Promise.all([
					watch ? undefined : executeWorkflow(n8n, TOUR_ID).catch(tourFailed),
					once ? undefined : serveEditor(n8n, { port }),
				]),
		);
		const asExpected = execution && showTour(execution);
		if (!editor) return asExpected ? 0 : 1;

		const leftToDo = await publishSubWorkflows(editor);
		if (leftToDo) console.log(leftToDo);

		runsUntilStopped(() => console.log('\nStopping n8n and the sandbox …'));
		console.log(`
n8n ${n8n.version} is ready, with the tour workflow in it:

  editor    ${editor.url}/workflow/${TOUR_ID}
  sign in   ${editor.owner.email}   ${editor.owner.password}
  sandbox   ${sandbox.url}/   (log: ${fromRoot(sandbox.log)})

Open the sandbox's address in a browser beside the editor: it shows what a workflow does as it happens (requests, customers,
premium countries), and lets you turn on faults.

Ctrl-C stops both. Your changes in n8n are kept for the next npm start.`);
		if (watch)
			console.log('\nChanges in nodes, credentials and sandbox are reloaded on save. Errors are shown below:\n');
		const stopped = (what: string): never => {
			throw new Failure(`${what} stopped unexpectedly; its log may say why (${fromRoot(LOGS)}).`);
		};
		await Promise.race([
			sandbox.ended.then(() => stopped('The sandbox')),
			editor.ended.then(() => stopped('n8n')),
			...(watch ? [watchSources(n8n).then(() => stopped('The compiler'))] : []),
		]);
	},
);
