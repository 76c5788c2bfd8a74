import { PollContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeApiError,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { VoiceAdminTrigger } from '../../../nodes/VoiceAdmin/VoiceAdminTrigger.node';
import { CredentialStore } from './credentialStore';
import { additionalDataOf, nodeOf, nodeTypesOf } from './nodeTypes';

const trigger = new VoiceAdminTrigger();

/** By its name n8n keeps its static data. */
const NODE = nodeOf('Voice Admin Trigger', 'n8n-nodes-voice-admin.voiceAdminTrigger');

const nodeTypes = nodeTypesOf({ [NODE.type]: trigger });

/** The result of one poll. */
interface Polled {
	/** The JSON of its items; null for none, when n8n starts nothing. */
	items: IDataObject[] | null;
	/** The error on which it failed. */
	error?: NodeApiError;
	/** Errors that it emitted beside its items. */
	emitted: NodeApiError[];
}

let workflows = 0;

/**
 * An active workflow with the trigger, whose polls n8n-core's own context runs. As n8n does (2.8 to 2.41), it writes changed
 * static data to its database after activation, and before it starts an execution with the items of a poll, but not after
 * a poll without items.
 */
export class Polling {
	readonly store: CredentialStore;

	/** The workflow as n8n has loaded it. */
	private workflow: Workflow;

	/** The workflows whose first poll, with which n8n activates one, has succeeded. */
	private readonly activated = new WeakSet<Workflow>();

	private readonly id = `polling ${++workflows}`;

	/** @param database the workflow's static data in n8n's database */
	constructor(
		private current: INodeParameters,
		credential: ICredentialDataDecryptedObject | CredentialStore,
		public database: IDataObject = {},
		private readonly activation: WorkflowActivateMode = 'activate',
	) {
		this.store = credential instanceof CredentialStore ? credential : new CredentialStore(credential);
		this.workflow = this.load();
	}

	/** Changes the parameters, as saving the workflow does. */
	set parameters(parameters: INodeParameters) {
		this.current = parameters;
		this.restart();
	}

	/** Loads the workflow again, as a restart of n8n does: only what is in the database stays. */
	restart(): void {
		this.workflow = this.load();
	}

	/** One poll: by the schedule (the first one by activation), or by hand, for which n8n loads the workflow apart. */
	async poll(mode: 'trigger' | 'manual' = 'trigger'): Promise<Polled> {
		const isManual = mode === 'manual';
		const workflow = isManual ? this.load() : this.workflow;
		const { staticData } = workflow;
		const emitted: NodeApiError[] = [];
		const context = this.contextOf(
			workflow,
			mode,
			isManual ? undefined : (error) => void emitted.push(error as NodeApiError),
		);
		try {
			const output = (await trigger.poll.call(context)) as INodeExecutionData[][] | null;
			if (!isManual && staticData.__dataChanged === true && (output || !this.activated.has(workflow)))
				this.save(staticData);
			this.activated.add(workflow);
			return { items: output && output[0]!.map(({ json }) => json), emitted };
		} catch (error) {
			// For its next attempt n8n loads a workflow again that it could not activate.
			if (!isManual && !this.activated.has(workflow)) this.restart();
			return { items: null, error: error as NodeApiError, emitted };
		}
	}

	/** n8n's context for a poll. */
	get context(): PollContext {
		return this.contextOf(this.workflow, 'trigger');
	}

	private contextOf(workflow: Workflow, mode: 'trigger' | 'manual', emitError?: (error: Error) => void): PollContext {
		return new PollContext(
			workflow,
			workflow.getNode(NODE.name)!,
			additionalDataOf(this.store),
			mode,
			this.activation,
			undefined,
			emitError,
		);
	}

	private save(staticData: IDataObject): void {
		this.database = copied(staticData);
		staticData.__dataChanged = false;
	}

	private load(): Workflow {
		const nodes = [{ ...NODE, parameters: this.current }];
		return new Workflow({
			id: this.id,
			nodes,
			connections: {},
			active: true,
			nodeTypes,
			staticData: copied(this.database),
		});
	}
}

const copied = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data)) as IDataObject;
