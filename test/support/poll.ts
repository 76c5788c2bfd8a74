import { PollContext } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	type NodeApiError,
	Workflow,
} from 'n8n-workflow';

import { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';
import { CredentialStore } from './credentialStore';
import { nodeTypesOf } from './nodeTypes';

const trigger = new VoiceAdminTrigger();

/** The result of one poll. */
export interface Polled {
	/** The JSON of its items; null for none, when n8n starts nothing. */
	items: IDataObject[] | null;
	/** The error on which it failed. */
	error?: NodeApiError;
	/** Errors that it emitted beside its items. */
	emitted: NodeApiError[];
}

let workflows = 0;

/** The trigger's name in its workflow, by which n8n keeps its static data. */
const NAME = 'Voice Admin Trigger';

/** A workflow as n8n has loaded it. */
interface Loaded {
	workflow: Workflow;
	/** Whether its first poll, with which n8n activates it, has succeeded. */
	isActive: boolean;
}

/**
 * An active workflow with the trigger, whose polls n8n-core's own context runs. As n8n does (2.8 to 2.41), it writes changed
 * static data to its database after activation, and before it starts an execution with the items of a poll, but not after
 * a poll without items.
 */
export class Polling {
	readonly store: CredentialStore;

	/** Whether the last poll has changed the static data that it was given. */
	hasNewState = false;

	private current: Loaded;

	private readonly node: INode;

	private readonly id = `polling ${++workflows}`;

	/** @param database the workflow's static data in n8n's database */
	constructor(
		parameters: INodeParameters,
		credential: ICredentialDataDecryptedObject | CredentialStore,
		public database: IDataObject = {},
	) {
		this.store = credential instanceof CredentialStore ? credential : new CredentialStore(credential);
		this.node = {
			id: 'trigger',
			name: NAME,
			type: 'n8n-nodes-voice-admin.voiceAdminTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { voiceAdminApi: { id: '1', name: 'Voice Admin' } },
		};
		this.current = this.load();
	}

	/** Changes the parameters, as saving the workflow does. */
	set parameters(parameters: INodeParameters) {
		this.node.parameters = parameters;
		this.restart();
	}

	/** Loads the workflow again, as a restart of n8n does: only what is in the database stays. */
	restart(): void {
		this.current = this.load();
	}

	/** One poll: by the schedule (the first one by activation), or by hand, for which n8n loads the workflow apart. */
	async poll(mode: 'trigger' | 'manual' = 'trigger'): Promise<Polled> {
		const isManual = mode === 'manual';
		const loaded = isManual ? this.load() : this.current;
		const emitted: NodeApiError[] = [];
		const context = this.contextOf(loaded.workflow, mode, isManual ? undefined : (error) => void emitted.push(error as NodeApiError));
		try {
			const output = (await trigger.poll.call(context)) as INodeExecutionData[][] | null;
			this.hasNewState = hasChanged(loaded.workflow);
			if (!isManual && (output || !loaded.isActive)) this.save(loaded.workflow);
			loaded.isActive = true;
			return { items: output && output[0]!.map(({ json }) => json), emitted };
		} catch (error) {
			this.hasNewState = hasChanged(loaded.workflow);
			return { items: null, error: error as NodeApiError, emitted };
		}
	}

	/** n8n's context for a poll. */
	get context(): PollContext {
		return this.contextOf(this.current.workflow, 'trigger');
	}

	private contextOf(workflow: Workflow, mode: 'trigger' | 'manual', emitError?: (error: Error) => void): PollContext {
		const additionalData = { credentialsHelper: this.store, variables: {}, restApiUrl: '', instanceBaseUrl: '' } as unknown as IWorkflowExecuteAdditionalData;
		return new PollContext(workflow, workflow.getNode(NAME)!, additionalData, mode, 'activate', undefined, emitError);
	}

	private save({ staticData }: Workflow): void {
		if (!hasChanged({ staticData })) return;
		this.database = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		staticData.__dataChanged = false;
	}

	private load(): Loaded {
		const nodeTypes = nodeTypesOf({ [this.node.type]: trigger });
		const staticData = JSON.parse(JSON.stringify(this.database)) as IDataObject;
		return { workflow: new Workflow({ id: this.id, nodes: [{ ...this.node }], connections: {}, active: true, nodeTypes, staticData }), isActive: false };
	}
}

function hasChanged({ staticData }: Pick<Workflow, 'staticData'>): boolean {
	return staticData.__dataChanged === true;
}
