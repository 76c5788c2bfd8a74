import path from 'node:path';
import { Failure, printFailure } from '../bootstrap/failure.mjs';
import { DEMO, formatPath } from '../bootstrap/paths.mjs';
import { runStep } from '../bootstrap/progress.mjs';
import { importTour, publishSubWorkflows, showTour, TOUR_ID } from '../demo/tour.mts';
import { RELOAD_SETTINGS, watchSources } from '../demo/watch.mts';
import { createN8nOption } from '../install/n8nVersions.mts';
import { chooseRuntime, ensureRuntime } from '../install/runtime.mts';
import { buildTarball } from '../install/package.mts';
import { createProgram, defineCommand, createNumberParser } from './command.mts';
import { takeLock } from '../bootstrap/lock.mjs';
import { requireFreePort } from '../servers/ports.mts';
import { executeWorkflow } from '../n8n/cli.mts';
import { unpackIntoN8n } from '../n8n/home.mts';
import { startServer } from '../n8n/server.mts';
import { startSandboxProcess } from '../servers/sandbox.mts';

const COMMAND = 'npm start';
const parsePort = createNumberParser(1, 65535);

export const start = defineCommand(
	createProgram(
		COMMAND,
		`Installs what is needed, starts a sandbox of the API and a real n8n with this package,
runs the tour workflow once, and keeps n8n's editor running until Ctrl-C.`,
	)
		.option('--watch', 'reload the package in n8n on each save, and skip the tour; npm run dev does this', false)
		.option('--reset', 'import examples and credentials again, replacing your changes to them in n8n', false)
		.option('--once', 'stop after the tour; exit code 0 only if all results are as expected', false)
		.option('--port <N>', "port of n8n's editor", parsePort, 5678)
		.option('--sandbox-port <N>', 'port of the sandbox', parsePort, 3456)
		.addOption(createN8nOption()),
	async ({ once, watch, reset, port, sandboxPort, n8n: version }, { expectStop }) => {
		if (!once && port === sandboxPort) {
			throw new Failure(
				`n8n and the sandbox can't share port ${port}: give --port and --sandbox-port different values.`,
			);
		}
		if (once && watch) throw new Failure("--once and --watch can't be combined: --watch skips the tour.");
		const runtimeChoice = chooseRuntime(version);
		// Before the ports, which are in use if it runs already, and those before the long install.
		await takeLock(COMMAND, 'demo');
		await requireFreePort(sandboxPort, '--sandbox-port');
		// --once starts no editor.
		if (!once) await requireFreePort(port, '--port');
		const tarball = await buildTarball('demo');
		const installed = await ensureRuntime(runtimeChoice);
		const home = path.join(DEMO, `n8n-${installed.version}`);
		const n8n = { ...installed, home, settings: watch ? RELOAD_SETTINGS : {} };

		const sandbox = await runStep('Starting the sandbox', () => startSandboxProcess(sandboxPort, { watch }));
		await runStep('Loading the package into n8n', () => unpackIntoN8n(n8n, tarball));
		await importTour(n8n, sandbox.url, reset);
		const handleTourError = (error: unknown) => {
			if (once) throw error;
			printFailure(error);
			console.log('The tour did not run. If it was deleted in n8n, npm start -- --reset imports it again.');
		};
		// In parallel, as each start of n8n takes seconds.
		const [execution, editor] = await runStep(
			`Starting n8n ${n8n.version}${watch ? '' : ' and running the tour in it'}`,
			() =>
				Promise.all([
					watch ? undefined : executeWorkflow(n8n, TOUR_ID).catch(handleTourError),
					once ? undefined : startServer(n8n, { port }),
				]),
		);
		const isExpected = execution && showTour(execution);
		if (!editor) return isExpected ? 0 : 1;

		const publishProblem = await publishSubWorkflows(editor);
		if (publishProblem) console.log(publishProblem);

		expectStop(() => console.log('\nStopping n8n and the sandbox …'));
		console.log(`
n8n ${n8n.version} is ready, with the tour workflow in it:

  editor    ${editor.url}/workflow/${TOUR_ID}
  sign in   ${editor.owner.email}   ${editor.owner.password}
  sandbox   ${sandbox.url}/   (log: ${formatPath(sandbox.log)})

Open the sandbox's address in a browser beside the editor: it shows what a workflow does as it happens (requests, customers,
premium countries), and lets you turn on faults.

Ctrl-C stops both. Your changes in n8n are kept for the next npm start.`);
		if (watch)
			console.log('\nChanges in nodes, credentials and sandbox are reloaded on save. Errors are shown below:\n');
		const throwStopped = (program: string, output: string): never => {
			throw new Failure(`${program} stopped unexpectedly; ${output} may say why.`);
		};
		const throwNotWatching = () => throwStopped('The compiler or gulp, which copies icons,', 'the lines above');
		await Promise.race([
			sandbox.exit.then(() => throwStopped('The sandbox', formatPath(sandbox.log))),
			editor.exit.then(() => throwStopped('n8n', formatPath(editor.log))),
			...(watch ? [watchSources(n8n).then(throwNotWatching)] : []),
		]);
	},
);
