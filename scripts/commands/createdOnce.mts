import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { DEMO } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { CONTENDERS, CUSTOMERS, type Scenario, SCENARIOS, workflowsOf } from '../demo/contenders.mts';
import { N8N_VERSION } from '../install/n8nVersions.mts';
import { chooseRuntime, prepare } from '../install/runtime.mts';
import { defineCommand } from '../lib/command.mts';
import { takeLock } from '../lib/lock.mts';
import { requireFreePort } from '../lib/ports.mts';
import { plainTable } from '../lib/table.mts';
import { executeWorkflow, importInto } from '../n8n/cli.mts';
import { credentials } from '../n8n/credentials.mts';
import { type N8n, n8nAt } from '../n8n/home.mts';
import { loadPackage } from '../n8n/package.mts';
import { SANDBOX_PORT, startSandbox } from '../servers/sandbox.mts';

const name = 'npm run created-once';

/**
 * How many customers are created twice under Retry On Fail, by this package's node and by n8n's HTTP Request
 * node with the same credential: in one run, in a real n8n, as the sandbox counts them.
 */
export const createdOnce = defineCommand({
	name,
	summary: `Gives ${CUSTOMERS} customers to this package's node and to n8n's HTTP Request node, in a real n8n against a sandbox, and
counts which were created twice.`,
	options: { 'sandbox-port': SANDBOX_PORT, n8n: N8N_VERSION },
	async run({ n8n: version, 'sandbox-port': sandboxPort }) {
		const choice = chooseRuntime(version);
		await requireFreePort(sandboxPort, { purpose: 'the sandbox', command: name, option: '--sandbox-port' });
		takeLock(name, path.join(DEMO, 'created-once.json'));
		const installed = await prepare(choice);
		// A home of its own: the demo's n8n is the user's to keep tidy.
		const n8n = n8nAt(installed, path.join(DEMO, `n8n-${installed.version}-created-once`));
		const sandbox = await step('Starting the sandbox', () => startSandbox(sandboxPort));
		await step('Loading the package and the workflows into n8n', async () => {
			await rm(n8n.home, { recursive: true, force: true });
			await loadPackage(n8n);
			await importInto(n8n, { credentials: credentials(sandbox.url), workflow: SCENARIOS.flatMap((scenario) => workflowsOf(scenario, sandbox.url)) });
		});

		const unmet: string[] = [];
		for (const scenario of SCENARIOS) {
			const rows: Row[] = [];
			for (const index of CONTENDERS.keys()) rows.push(await measure(scenario, index, n8n, sandbox.url));
			console.log(`\n${CUSTOMERS} customers in n8n ${n8n.version}; at the 30th: ${scenario.name}\n${plainTable(Object.keys(rows[0]!), rows.map(Object.values))}\n`);
			const [ours, theirs] = rows as [Row, Row];
			const expected: Array<[string, boolean]> = [
				[`${ours.node} creates no customer twice`, ours['created twice'] === 0],
				[`${ours.node} creates all customers`, ours.customers === CUSTOMERS || !scenario.completes],
				[`${ours.node} reports ${scenario.isUnknown ? 'the 30th' : 'none'} as unknown`, ours['unknown, and reported'] === (scenario.isUnknown ? 1 : 0)],
				// Otherwise the fault was not injected, or the comparison is out of date.
				[`${theirs.node} creates a customer twice`, theirs['created twice'] > 0],
			];
			unmet.push(...expected.filter(([, holds]) => !holds).map(([what]) => `${scenario.name}: expected that ${what}`));
		}
		if (unmet.length > 0) throw new Failure('The comparison failed; the lines above say what was expected.', { details: unmet.join('\n') });
	},
});

type Row = Awaited<ReturnType<typeof measure>>;

async function measure(scenario: Scenario, contender: number, n8n: N8n, sandboxUrl: string) {
	const node = CONTENDERS[contender]!(sandboxUrl).name;
	return await step(`${CUSTOMERS} customers by ${node}`, async () => {
		const ask = async (method: string, at: string, body?: object) => await fetch(`${sandboxUrl}/_sandbox/${at}`, { method, ...(body && { body: JSON.stringify(body) }) });
		await ask('POST', 'reset');
		await ask('PUT', 'faults', [scenario.fault]);
		const { output } = await executeWorkflow(n8n, workflowsOf(scenario, sandboxUrl)[contender]!.id);
		const state = await (await ask('GET', 'state')).json();
		const { customers, counters } = state as { customers: Array<{ vatNumber: string }>; counters: { requests: number; logins: number } };
		const different = new Set(customers.map(({ vatNumber }) => vatNumber)).size;
		return {
			node,
			requests: counters.requests - counters.logins,
			logins: counters.logins,
			customers: different,
			'created twice': customers.length - different,
			'unknown, and reported': output.includes('C30 may already exist') ? 1 : 0,
		};
	});
}
