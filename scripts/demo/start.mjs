import path from 'node:path';
import { n8nAt } from '../n8n/home.mjs';
import { prepare } from '../n8n/prepare.mjs';
import { serveEditor } from '../n8n/server.mjs';
import { startSandbox } from '../sandbox/process.mjs';
import { Failure } from '../setup/failure.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { DEMO, fromRoot } from '../setup/paths.mjs';
import { requireToBeTheOnlyOne } from '../setup/only-one.mjs';
import { step } from '../setup/progress.mjs';
import { tail } from '../setup/run-logged.mjs';
import { chooseRuntime } from '../setup/runtime.mjs';
import { openBrowser } from './browser.mjs';
import { HELP, readStartOptions } from './options.mjs';
import { requirePorts } from './required-ports.mjs';
import { showTour } from './show-tour.mjs';
import { TOUR_ID } from './tour-nodes.mjs';

await runToTheEnd(async (endsWell) => {
	const options = readStartOptions(process.argv.slice(2));
	if (options.help) {
		console.log(HELP);
		return 0;
	}
	const choice = chooseRuntime(options.n8n);
	// Before the long install, and again after it: it takes minutes, in which a port may be taken.
	await requirePorts(options);
	requireToBeTheOnlyOne('npm start', path.join(DEMO, 'running.json'));
	const installed = await prepare(choice);
	const n8n = n8nAt(installed, path.join(DEMO, `n8n-${installed.version}`));
	await requirePorts(options);

	const sandbox = await step('Starting the sandbox', () => startSandbox(options.sandboxPort));
	const asExpected = await showTour(n8n, sandbox.url);
	if (options.once) return asExpected ? 0 : 1;

	const editor = await step('Starting n8n', () => serveEditor(n8n, options));
	const address = `${editor.url}/workflow/${TOUR_ID}`;
	endsWell(() => console.log('\nStopping n8n and the sandbox …'));
	console.log(`
n8n ${n8n.version} is ready, with the tour workflow in it:

  editor    ${address}
  sign in   ${editor.owner.email}   ${editor.owner.password}
  sandbox   ${sandbox.url}/   (log: ${fromRoot(sandbox.log)})

Open the sandbox's address in a browser beside the editor: what a workflow does is seen there at once (requests, customers,
premium countries), and faults can be switched on. The API document is at ${sandbox.url}/docs.

Ctrl-C stops both. What you make in n8n stays for the next npm start.`);
	if (!options.noOpen) openBrowser(address);

	const { name, output, log } = await Promise.race([
		editor.ended.then((end) => ({ name: 'n8n', ...end })),
		sandbox.ended.then((end) => ({ name: 'The sandbox', ...end })),
	]);
	throw new Failure(`${name} ended by itself, and with it the demo; the lines above (all of them: ${fromRoot(log)}) may say why.`, { details: tail(output, 15) });
});
