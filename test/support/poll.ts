import { PollContext } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	type NodeApiError,
	Workflow,
} from 'n8n-workflow';

import { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';
import { CredentialStore } from './credentialStore';

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

/** A workflow with the trigger, whose polls n8n-core's own context runs. */
export class Polling {
	readonly store: CredentialStore;

	/** The workflow's static data, as n8n has it in its database. */
	staticData: IDataObject = {};

	private workflow: Workflow;

	private readonly node: INode;

	private readonly id = `polling ${++workflows}`;

	constructor(parameters: INodeParameters, credential: ICredentialDataDecryptedObject | CredentialStore) {
		this.store = credential instanceof CredentialStore ? credential : new CredentialStore(credential);
		this.node = {
			id: 'trigger',
			name: 'Voice Admin Trigger',
			type: 'n8n-nodes-voice-admin.voiceAdminTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { voiceAdminApi: { id: '1', name: 'Voice Admin' } },
		};
		this.workflow = this.loaded();
	}

	/** Changes the parameters, as saving the workflow does. */
	set parameters(parameters: INodeParameters) {
		this.node.parameters = parameters;
		this.restart();
	}

	/** Reloads the workflow, as a restart of n8n does: only what was stored stays. */
	restart(): void {
		this.staticData = JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
		this.workflow = this.loaded();
	}

	/** One poll, scheduled or manual. */
	async poll(mode: 'trigger' | 'manual' = 'trigger'): Promise<Polled> {
		const emitted: NodeApiError[] = [];
		const context = this.contextOf(mode, mode === 'manual' ? undefined : (error) => void emitted.push(error as NodeApiError));
		try {
			const output = (await trigger.poll.call(context)) as INodeExecutionData[][] | null;
			return { items: output && output[0]!.map(({ json }) => json), emitted };
		} catch (error) {
			return { items: null, error: error as NodeApiError, emitted };
		}
	}

	/** n8n's context for a poll. */
	get context(): PollContext {
		return this.contextOf('trigger');
	}

	/** Whether n8n would write the static data to its database now. */
	get hasNewState(): boolean {
		return (this.workflow.staticData as { __dataChanged?: boolean }).__dataChanged === true;
	}

	private contextOf(mode: 'trigger' | 'manual', emitError?: (error: Error) => void): PollContext {
		const additionalData = { credentialsHelper: this.store, variables: {}, restApiUrl: '', instanceBaseUrl: '' } as unknown as IWorkflowExecuteAdditionalData;
		return new PollContext(this.workflow, this.node, additionalData, mode, 'activate', undefined, emitError);
	}

	private loaded(): Workflow {
		const nodeTypes: INodeTypes = {
			getByName: () => trigger,
			getByNameAndVersion: () => trigger,
			getKnownTypes: () => ({}),
		};
		return new Workflow({ id: this.id, nodes: [this.node], connections: {}, active: true, nodeTypes, staticData: this.staticData });
	}
}
