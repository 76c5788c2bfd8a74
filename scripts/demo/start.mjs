import { Failure } from '../setup/failure.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { fromRoot } from '../setup/paths.mjs';
import { step } from '../setup/progress.mjs';
import { tail } from '../setup/run-logged.mjs';
import { chooseRuntime } from '../setup/runtime.mjs';
import { OWNER } from './accounts.mjs';
import { openBrowser } from './browser.mjs';
import { serveEditor } from './editor.mjs';
import { requireToBeTheOnlyOne } from './only-one.mjs';
import { HELP, readOptions } from './options.mjs';
import { prepare } from './prepare.mjs';
import { requirePorts } from './required-ports.mjs';
import { startSandbox } from './sandbox-process.mjs';
import { showTour } from './show-tour.mjs';

await runToTheEnd(async (endsWell) => {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(HELP);
		return 0;
	}
	const choice = chooseRuntime(options.n8n);
	// Before the long install, and again after it: it takes minutes, in which a port may be taken.
	await requirePorts(options);
	requireToBeTheOnlyOne(options.port);
	const runtime = await prepare(choice);
	await requirePorts(options);

	const sandbox = await step('Starting the sandbox', () => startSandbox(options.sandboxPort));
	const asExpected = await showTour(runtime, { port: options.port, sandboxUrl: sandbox.url });
	if (options.once) return asExpected ? 0 : 1;

	const editor = await step('Starting n8n', () => serveEditor(runtime, options));
	endsWell(() => console.log('\nStopping n8n and the sandbox …'));
	console.log(`
n8n ${runtime.version} is ready, with the tour workflow in it:

  editor    ${editor.url}
  sign in   ${OWNER.email}   ${OWNER.password}
  sandbox   ${sandbox.url}   (log: ${fromRoot(sandbox.log)})

Ctrl-C stops both. What you make in n8n stays for the next npm start.`);
	if (!options.noOpen) openBrowser(editor.url);

	const { name, output, log } = await Promise.race([
		editor.ended.then((end) => ({ name: 'n8n', ...end })),
		sandbox.ended.then((end) => ({ name: 'The sandbox', ...end })),
	]);
	throw new Failure(`${name} ended by itself, and with it the demo; the lines above (all of them: ${fromRoot(log)}) may say why.`, { details: tail(output, 15) });
});
