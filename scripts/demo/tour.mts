import { Failure } from '../bootstrap/failure.mjs';
import { runStep } from '../bootstrap/progress.mjs';
import { type Execution, type NodeOutput, outcomeOf } from '../n8n/cli.mts';
import type { N8nInstance } from '../n8n/home.mts';
import { publishWorkflow, signIn } from '../n8n/server.mts';
import { importNewExamples, readExamples, setSandboxCredential, type Workflow } from './examples.mts';

/** The id of examples/tour.json. */
export const TOUR_ID = 'voiceAdminTour01';

const MILANO =
	/^{"success":true,"idTrunk":1004,"iso":"(IT|FR|276)","organizationId":10,"premium_available":"yes","sbcId":2}$/;

/**
 * The expected output of each Voice Admin node in examples/tour.json, with the records of sandbox/store/seed.ts: items
 * as JSON, or an error.
 */
const EXPECTED_OUTPUTS: Record<string, RegExp[]> = {
	'Premium for a country from the list': [/^{"success":true,"idTrunk":1001,"iso":"IT"}$/],
	'Premium for several countries': [MILANO, MILANO, MILANO],
	'Create a customer': [/"vatNumber":"IT12345678903","companyName":"Rossi Telefonia Srl","city":"Milano"/],
	'Gateway with a termination URI': [/^{"id":"1",.*"terminationUri":"milano-1.sip.sandbox.example"/],
	'Gateway without a termination URI': [/^{"id":"2",(?!.*terminationUri)/],
	'Gateway whose termination URI is null': [/^{"id":"3",.*"terminationUri":null/],
	'Gateway of an organization': [/^{"id":"5",.*"organizationId":20,"terminationUri":"torino-1.sip.sandbox.example"/],
	'No such trunk (404)': [/^Error 404: [^]*9999/],
	'Key without permission (403)': [/^Error 403: [^]*permission/],
	// Rejected by the node; nothing is sent.
	'Invalid country': [/^Error: [^]*Italy!/],
	'VAT number with a wrong digit': [/^Error: [^]*12345678904/],
};

/** Imports credentials and workflows into n8n. Changes that the user made in n8n are kept, unless `reset`. */
export async function importTour(n8n: N8nInstance, sandboxUrl: string, reset: boolean): Promise<void> {
	const workflows = [...readExamples().values()].map(setSandboxCredential);
	await runStep('Importing credentials and example workflows', () =>
		importNewExamples(n8n, { sandboxUrl, workflows }, reset),
	);
}

const SUB_WORKFLOW_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';

/**
 * Publishes unpublished examples that are sub-workflows: n8n runs a sub-workflow only if it is published.
 * @returns what is left to do: the user may have changed n8n's password, or deleted an example
 */
export async function publishSubWorkflows(server: Parameters<typeof signIn>[0]): Promise<string | undefined> {
	const listTriggers = ({ nodes }: Workflow) =>
		nodes.map(({ type }) => type).filter((type) => /trigger$|webhook$/i.test(type));
	const subWorkflows = [...readExamples().values()].filter(
		(workflow) => listTriggers(workflow).join() === SUB_WORKFLOW_TRIGGER,
	);
	try {
		const rest = await signIn(server);
		for (const { id } of subWorkflows) {
			// Not if it is published: later changes by the user stay a draft.
			const { active } = await rest<{ active: boolean }>('GET', `/workflows/${id}`);
			if (!active) await publishWorkflow({ url: server.url, rest }, id);
		}
		return undefined;
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return `Publish the examples that are sub-workflows in n8n's editor. (${error.message})`;
	}
}

/**
 * Prints the output of each Voice Admin node in the tour, but not n8n's log, whose lines about its Python runner look like errors.
 * @returns whether all output is as expected
 */
export function showTour({ runData }: Execution): boolean {
	const failedNodes: string[] = [];
	for (const [node, patterns] of Object.entries(EXPECTED_OUTPUTS)) {
		const outputs = formatOutcome(outcomeOf(runData[node]));
		const isExpected =
			outputs.length === patterns.length && outputs.every((each, index) => patterns[index]!.test(each));
		if (!isExpected) failedNodes.push(node);
		console.log(`\n${isExpected ? '✓' : '✗'} ${node}\n${(outputs.join('\n') || 'nothing').replace(/^/gm, '  ')}`);
		if (!isExpected) console.log(`  EXPECTED: ${patterns.join(' ')}`);
	}
	if (failedNodes.length === 0) console.log('\nAll nodes of the tour returned what is expected, including the errors.');
	else
		console.log(
			`\n${failedNodes.length} nodes of the tour returned something unexpected: ${failedNodes.join('; ')}. (If you changed it: npm start -- --reset)`,
		);
	return failedNodes.length === 0;
}

/** Items and errors as text. */
function formatOutcome({ json, errors }: NodeOutput): string[] {
	const texts = errors.map(({ message, description, httpCode }) => {
		return [`Error${httpCode ? ` ${httpCode}` : ''}: ${message}`, description].filter(Boolean).join('\n');
	});
	return [...json.map((item) => JSON.stringify(item)), ...texts];
}
