import type { ICredentialDataDecryptedObject, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { type FaultPlan, type LoggedRequest, type Sandbox, type SandboxOptions, type SandboxState, startSandbox } from '../../sandbox';
import { executeWorkflow } from '../../scripts/n8n/execute.mjs';
import { importInto } from '../../scripts/n8n/import.mjs';
import { outcomeOf } from '../../scripts/n8n/outcome.mjs';
import { secretsIn } from '../../scripts/n8n/secrets.mjs';
import { chain, itemsOf } from '../../scripts/n8n/workflow.mjs';
import { credentialFor } from './credentialStore';
import { n8n } from './n8n.mts';

/** A node after the items, run once in a real n8n. */
export interface Scenario {
	/** A row gives an item; one empty item unless told. */
	items?: IDataObject[];
	/** Parameters of the Voice Admin node; values may be expressions. */
	parameters?: INodeParameters;
	/** Settings of the node: onError, retryOnFail, maxTries … */
	settings?: Partial<INode>;
	/** What comes after the node, whose name is `NODE`. */
	after?: { nodes: Array<{ name: string } & object>; connections: object };
	/** Another node than Voice Admin, with the same credential. `SERVICE` in its parameters becomes the sandbox's address. */
	node?: { type: string; typeVersion: number; parameters: INodeParameters };
	/** Fields of the credential that differ from the demo's. `SERVICE` becomes the sandbox's address. */
	credential?: Partial<ICredentialDataDecryptedObject>;
	/** What goes wrong in the sandbox. */
	faults?: FaultPlan;
	/** Environment variables of n8n. */
	environment?: Record<string, string>;
}

/** What came of it. */
export interface Ran {
	/** JSON of the items on the main output that are no errors. */
	output: IDataObject[];
	/** The same on the error output. */
	errorOutput: IDataObject[];
	/** For each item on the main output the index of the item that it is paired with. */
	paired: Array<number | undefined>;
	/** The error on which the node stopped, or those of its items, as n8n shows them. */
	errors: Array<{ message: string; description?: string; httpCode?: string }>;
	/** What n8n stores beside the error on which the node stopped. */
	errorContext: IDataObject;
	/** JSON of the items that a node after this one gave; none where it has not run. */
	given: (node: string) => IDataObject[];
	/** Requests of this run, in the order in which they ended. */
	requests: LoggedRequest[];
	/** The sandbox's books and counters after this run. */
	state: SandboxState;
	/** What n8n printed: the execution, and its log. */
	printed: string;
	/** Runs the same workflow again, in another process of n8n; the sandbox's books go on. */
	again: () => Promise<Ran>;
}

export const NODE = 'The node';

/** Scenarios of this file so far; their ids in n8n. */
let numbered = 0;

interface RunData {
	data?: { main?: Array<Array<{ json: IDataObject; error?: unknown; pairedItem?: { item?: number } }> | null> };
	error?: { context?: IDataObject };
}

/**
 * Registers tests that each run a workflow in a real n8n against a sandbox of their own. Credentials and
 * workflows of all of them are imported at once, as each of n8n's commands takes seconds.
 */
export function inN8n(options: SandboxOptions = {}) {
	const credentials: object[] = [];
	const workflows: object[] = [];
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox(options);
		const addressed = <T,>(records: T): T => JSON.parse(JSON.stringify(records).replaceAll('SERVICE', sandbox.url)) as T;
		await importInto(n8n, { credentials: addressed(credentials), workflow: addressed(workflows) });
	});

	afterAll(async () => {
		await sandbox.close();
	});

	async function run(id: string, environment?: Record<string, string>): Promise<Ran> {
		const before = sandbox.requests().length;
		const { runData, output: printed } = await executeWorkflow(n8n, id, { log: 'n8n-execute', settings: environment });
		const runs = runData[NODE] as RunData[] | undefined;
		const [main = [], errorOutput = []] = (runs?.[0]?.data?.main ?? []).map((items) => items ?? []);
		return {
			output: main.filter((item) => !item.error && !item.json.error).map(({ json }) => json),
			errorOutput: errorOutput.map(({ json }) => json),
			paired: main.map(({ pairedItem }) => pairedItem?.item),
			errors: outcomeOf(runs).errors,
			errorContext: runs?.[0]?.error?.context ?? {},
			given: (node) => {
				const outputs = ((runData[node] as RunData[] | undefined) ?? []).flatMap(({ data }) => data?.main ?? []);
				return outputs.flatMap((items) => (items ?? []).map(({ json }) => json));
			},
			requests: sandbox.requests().slice(before),
			state: sandbox.state(),
			again: async () => await run(id, environment),
			printed,
		};
	}

	/** A test: `check` is told what came of the run, and gets the sandbox itself for what goes on after it. */
	function scenario(name: string, given: Scenario, check: (ran: Ran, sandbox: Sandbox) => Promise<void> | void): void {
		const { items, parameters, settings, after, node, credential, faults, environment } = given;
		const id = `${expect.getState().testPath?.split('/').at(-1)?.split('.')[0]}${numbered++}`;
		credentials.push({ id, name: `For ${id}`, type: 'voiceAdminApi', data: { ...credentialFor('SERVICE'), ...credential } });
		const tested = {
			name: NODE,
			...(node ?? { type: 'n8n-nodes-voice-admin.voiceAdmin', typeVersion: 1, parameters }),
			...settings,
			credentials: { voiceAdminApi: { id, name: `For ${id}` } },
		};
		const workflow = chain({ id, name, nodes: [...(items ? itemsOf(items) : []), tested] });
		workflows.push({
			...workflow,
			nodes: [...workflow.nodes, ...(after?.nodes ?? []).map((each) => ({ id: each.name, position: [0, 0], ...each }))],
			connections: { ...workflow.connections, ...after?.connections },
		});

		test(name, async () => {
			sandbox.reset();
			sandbox.setFaults(faults ?? {});
			const ran = await run(id, environment);
			try {
				expect(secretsIn(ran.printed)).toEqual([]);
				await check(ran, sandbox);
			} catch (error) {
				// What a reader of the failure would look for next.
				(error as Error).message += `\n\n${evidence(ran, sandbox.requests())}`;
				throw error;
			}
		});
	}

	return { scenario };
}

const SHOWN = 40;

function evidence({ errors }: Ran, requests: LoggedRequest[]): string {
	const lines = requests.slice(-SHOWN).map(({ method, path, status, milliseconds, fault }) => `  ${method} ${path} ${status} ${milliseconds} ms${fault ? ` (fault: ${fault})` : ''}`);
	return [
		errors.length > 0 ? 'Errors of the node:' : 'The node gave no error.',
		...errors.slice(0, SHOWN).map((error) => `  ${JSON.stringify(error)}`),
		`The sandbox's ${requests.length} requests${requests.length > SHOWN ? `, the last ${SHOWN}` : ''}:`,
		...lines,
	].join('\n');
}
