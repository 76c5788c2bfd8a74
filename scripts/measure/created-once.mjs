import { rm } from 'node:fs/promises';
import path from 'node:path';
import { SANDBOX_AND_N8N } from '../demo/options.mjs';
import { credentials } from '../n8n/credentials.mjs';
import { executeWorkflow } from '../n8n/execute.mjs';
import { n8nAt } from '../n8n/home.mjs';
import { importInto } from '../n8n/import.mjs';
import { loadPackage } from '../n8n/load-package.mjs';
import { prepare } from '../n8n/prepare.mjs';
import { startSandbox } from '../sandbox/process.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { N8N_VERSIONS } from '../setup/n8n-versions.mjs';
import { requireToBeTheOnlyOne } from '../setup/only-one.mjs';
import { readOptions } from '../setup/options.mjs';
import { DEMO } from '../setup/paths.mjs';
import { requireFreePort } from '../setup/ports.mjs';
import { step } from '../setup/progress.mjs';
import { chooseRuntime } from '../setup/runtime.mjs';
import { CUSTOMERS, idOf, PEERS, SCENARIOS, workflowFor } from './workflow.mjs';

const COMMAND = 'npm run created-once';

const HELP = `${COMMAND} [-- options]

Gives ${CUSTOMERS} customers to this package's node and to n8n's HTTP Request node, in a real n8n against a sandbox, and
counts which were created twice.

  --sandbox-port N  port of the sandbox (3456)
  --n8n VERSION     ${N8N_VERSIONS.map(({ version }) => version).join(' or ')}; chosen by the version of Node otherwise
  --help            this text`;

// How many customers are created twice under Retry On Fail, by this package's node and by n8n's HTTP Request
// node with the same credential: in one run, in a real n8n, from the sandbox's own books.
await runToTheEnd(async () => {
	const { help, n8n: version, 'sandbox-port': sandboxPort } = readOptions(COMMAND, process.argv.slice(2), SANDBOX_AND_N8N);
	if (help) {
		console.log(HELP);
		return;
	}
	const choice = chooseRuntime(version);
	await requireFreePort(sandboxPort, { purpose: 'the sandbox', command: COMMAND, option: '--sandbox-port' });
	requireToBeTheOnlyOne(COMMAND, path.join(DEMO, 'created-once.json'));
	const installed = await prepare(choice);
	// A home of its own: the demo's n8n is the user's to keep tidy.
	const n8n = n8nAt(installed, path.join(DEMO, `n8n-${installed.version}-created-once`));
	const sandbox = await step('Starting the sandbox', () => startSandbox(sandboxPort));
	await step('Loading the package and the workflows into n8n', () => load(n8n, sandbox.url));

	const { default: Table } = await import('cli-table3');
	let holds = true;
	for (const scenario of SCENARIOS) {
		const rows = [];
		for (const peer of PEERS) {
			rows.push(await step(`${CUSTOMERS} customers by ${peer.name}`, () => measure(scenario, peer, n8n, sandbox.url)));
		}
		const table = new Table({ head: Object.keys(rows[0]), style: { head: [], border: [] } });
		table.push(...rows.map((row) => Object.values(row)));
		console.log(`\n${CUSTOMERS} customers in n8n ${n8n.version}; at the 30th: ${scenario.name}\n${table.toString()}\n`);
		holds &&= rows[0]['created twice'] === 0 && (rows[0].customers === CUSTOMERS || !scenario.completes);
	}
	return holds ? 0 : 1;
});

async function load(n8n, sandboxUrl) {
	await rm(n8n.home, { recursive: true, force: true });
	await loadPackage(n8n);
	const workflow = SCENARIOS.flatMap((scenario) => PEERS.map((peer) => workflowFor(scenario, peer, sandboxUrl)));
	await importInto(n8n, { credentials: credentials(sandboxUrl), workflow });
}

async function measure(scenario, peer, n8n, sandboxUrl) {
	const ask = async (method, at, body) => await fetch(`${sandboxUrl}/_sandbox/${at}`, { method, body: body && JSON.stringify(body) });
	await ask('POST', 'reset');
	await ask('PUT', 'faults', [scenario.fault]);
	const { output } = await executeWorkflow(n8n, idOf(scenario, peer));
	const { customers, counters } = await (await ask('GET', 'state')).json();
	const different = new Set(customers.map(({ vatNumber }) => vatNumber)).size;
	return {
		node: peer.name,
		requests: counters.requests - counters.logins,
		logins: counters.logins,
		customers: different,
		'created twice': customers.length - different,
		'unknown, and reported': output.includes('C30 may already exist') ? 1 : 0,
	};
}
