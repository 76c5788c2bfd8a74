import Table from 'cli-table3';
import { step } from '../bootstrap/progress.mjs';
import { executeWorkflow } from '../n8n/cli.mts';
import { secretsIn } from '../n8n/credentials.mts';
import type { N8n } from '../n8n/home.mts';
import { describeOutcome, type Outcome, outcomeOf, spaced } from '../n8n/outcome.mts';
import { loadPackage } from '../n8n/package.mts';
import { exampleWorkflows, importDemo, type Workflow } from './examples.mts';
import { EXPECTED } from './expected.mts';

/** A node of the tour, with operation and input as its user sees them. */
export interface TourNode {
	name: string;
	operation: string;
	input: string;
}

const OPERATIONS: Record<string, string> = {
	'dssTrunk:setPremium': 'VoIP DSS Trunk: Set Premium',
	'dssGateway:get': 'VoIP DSS Gateway: Get',
	'customer:add': 'Customer: Add',
};

/** The nodes of a workflow that are ours. */
export function voiceAdminNodes(workflow: Workflow): TourNode[] {
	return workflow.nodes
		.filter(({ type }) => type === 'n8n-nodes-voice-admin.voiceAdmin')
		.map(({ name, parameters, credentials }) => {
			const { resource, operation, ...fields } = parameters as Record<string, unknown>;
			const input = describeFields(fields);
			if (credentials?.voiceAdminApi?.name.includes('read-only')) input.push('with a read-only key');
			return { name, operation: OPERATIONS[`${resource}:${operation}`] ?? `${resource}: ${operation}`, input: input.join('\n') };
		});
}

/** Fields as the user sees them set: collections taken apart, a country picker as its value, blanks left out. */
function describeFields(fields: object): string[] {
	return Object.entries(fields).flatMap(([name, value]) => {
		if (value === '' || value === '{}') return [];
		if (value?.__rl) return [`${name}: ${value.cachedResultName ? `${value.cachedResultName} (from the list)` : plain(value.value)}`];
		return typeof value === 'object' ? describeFields(value) : [`${name}: ${plain(value)}`];
	});
}

function plain(value: unknown): string {
	const text = String(value);
	const quoted = /^=\{\{ "(.*)" \}\}$/.exec(text)?.[1];
	if (quoted !== undefined) return quoted;
	return text.startsWith('{') ? spaced(JSON.parse(text)) : text;
}

interface Row extends TourNode {
	outcome: Outcome;
	expected: string;
	asExpected: boolean;
}

/** The id of examples/tour.json. */
export const TOUR_ID = 'voiceAdminTour01';

const WIDTH_WITHOUT_TERMINAL = 120;
const BORDERS = 16;

/**
 * Puts package, credentials and workflows into n8n, runs the tour and prints its table.
 * @returns whether each row came out as expected, and no secret with it
 */
export async function showTour(n8n: N8n, sandboxUrl: string): Promise<boolean> {
	await step('Loading the package into n8n', () => loadPackage(n8n));
	await step('Importing credentials and example workflows', (report) => importDemo(n8n, sandboxUrl, report));
	// Without n8n's own lines: those about its Python runner only frighten.
	const { rows, secrets } = await step(`Running the tour in n8n ${n8n.version}`, () => runTour(n8n));
	printTable(rows);
	const wrong = rows.filter(({ asExpected }) => !asExpected);
	if (wrong.length === 0) console.log(`All ${rows.length} rows came out as expected, the errors included.`);
	else console.log(`${wrong.length} of ${rows.length} rows did not come out as expected: ${wrong.map(({ name }) => name).join('; ')}.`);
	if (secrets.length === 0) console.log("n8n's output contains neither an API key nor an access token.");
	else console.log(`n8n's output contains ${secrets.join(' and ')}.`);
	return rows.length > 0 && wrong.length === 0 && secrets.length === 0;
}

/** Runs the tour workflow in n8n once. @returns each node's outcome beside what is expected; the secrets found in what n8n printed */
async function runTour(n8n: N8n): Promise<{ rows: Row[]; secrets: string[] }> {
	const { runData, output } = await executeWorkflow(n8n, TOUR_ID);
	const tour = (await exampleWorkflows()).filter(({ id }) => id === TOUR_ID);
	const rows = tour.flatMap(voiceAdminNodes).map((node) => {
		const outcome = outcomeOf(runData[node.name]);
		const expected = EXPECTED[node.name];
		return { ...node, outcome, expected: expected?.says ?? 'something that scripts/demo/expected.mts says', asExpected: expected?.holds(outcome) ?? false };
	});
	return { rows, secrets: secretsIn(output) };
}

function printTable(rows: Row[]): void {
	const free = Math.max(process.stdout.columns ?? WIDTH_WITHOUT_TERMINAL, 80) - BORDERS;
	const operationWidth = Math.floor(free * 0.22);
	const inputWidth = Math.floor(free * 0.3);
	const table = new Table({
		head: ['', 'Operation', 'Input', 'Outcome'],
		colWidths: [5, operationWidth + 2, inputWidth + 2, free - operationWidth - inputWidth + 2],
		wordWrap: true,
		wrapOnWordBoundary: true,
		style: { head: process.stdout.isTTY ? ['bold'] : [], border: [] },
	});
	for (const { operation, input, outcome, asExpected, expected } of rows) {
		const came = describeOutcome(outcome);
		table.push([asExpected ? '✓' : '✗', operation, input, asExpected ? came : `${came}\nEXPECTED: ${expected}`]);
	}
	console.log(table.toString());
}
