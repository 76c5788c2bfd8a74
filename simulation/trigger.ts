import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { N8nProcess, N8n, NodeError } from './n8n';
import { TRIGGER } from './service';
import type { World } from './world';

/** From then on the service is well; and as long as this, the trigger goes on. */
const WELL_MS = 200_000;

/**
 * A workflow with the trigger, as n8n activates and polls it; what happens to its gateways; and the deaths of its process.
 * n8n stores the trigger's state, where it has changed, after the first poll, and before it starts an execution with what another one gave.
 */
export function runTrigger(
	n8n: N8n,
	{ process: place, everyMs, gateways, changes, byHand, restarts }: NonNullable<World['trigger']>,
): void {
	const { clock, history, service } = n8n;
	n8n.activeCount++;
	const ids = Array.from({ length: gateways }, (_, nth) => `900${nth}`);
	for (const id of ids) service.gateways.set(id, [{ at: 0, value: { id, version: 0 } }]);
	for (const [nth, { at, gateway, removes }] of changes.entries()) {
		clock.schedule(at, () => {
			const id = ids[gateway % gateways]!;
			const states = service.gateways.get(id)!;
			states.push({ at, value: removes && states.at(-1)!.value ? undefined : { id, version: nth + 1 } });
			service.log(`gateway ${id} is ${JSON.stringify(states.at(-1)!.value)}`);
		});
	}
	clock.schedule(WELL_MS, () => (service.isWell = true));
	clock.schedule(2 * WELL_MS + 3 * everyMs, () => {
		activations++;
		n8n.activeCount--;
	});
	/** Only the last one goes on. */
	let activations = 0;
	let database = '{}';
	/** The workflow as n8n has loaded it. @returns what polls it */
	const loadWorkflow = (n8nProcess: N8nProcess, mode: 'trigger' | 'manual', activation?: string) => {
		let savedState = database;
		const staticData = JSON.parse(savedState) as IDataObject;
		const { node, ...baseContext } = n8n.createContext('voiceAdminTrigger', n8nProcess, 0, () => ({
			run: TRIGGER,
			attempt: 0,
		}));
		const parameters: Record<string, unknown> = {
			gatewayIds: ids,
			events: ['appeared', 'changed', 'disappeared'],
			watch: 'all',
		};
		const context = {
			...baseContext,
			getNode: () => node,
			getWorkflow: () => ({ id: n8n.baseUrl }),
			getMode: () => mode,
			getActivationMode: () => activation,
			getWorkflowStaticData: () => staticData,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			__emitError: (error: NodeError) => void history.pollErrors.push(error),
		};
		return async (isStored: (hasItems: boolean) => boolean): Promise<void> => {
			const output = (await n8nProcess.process.trigger.poll.call(context as never)) as INodeExecutionData[][] | null;
			const state = JSON.stringify(staticData);
			if (isStored(output !== null) && state !== savedState) database = savedState = state;
			for (const { json } of output?.[0] ?? []) {
				history.events.push({ at: clock.now, mode, ...json } as never);
				service.log(
					`trigger${mode === 'manual' ? ' by hand' : ''}: gateway ${String(json.gatewayId)} ${String(json.event)}`,
				);
			}
		};
	};
	const recordPollError = (error: unknown) => void history.pollErrors.push(error as NodeError);
	const activate = (activation: string, retryAfterMs = 1_000): void => {
		const activationNumber = ++activations;
		const scheduleIfCurrent = (ms: number, action: () => void) =>
			clock.schedule(ms, () => activationNumber === activations && action());
		const poll = loadWorkflow(n8n.processAt(place), 'trigger', activation);
		const pollAgain = () => {
			scheduleIfCurrent(everyMs, pollAgain);
			poll((hasItems) => hasItems).catch(recordPollError);
		};
		poll(() => true).then(
			() => scheduleIfCurrent(everyMs, pollAgain),
			(error) => {
				recordPollError(error);
				scheduleIfCurrent(retryAfterMs, () => activate('init', Math.min(2 * retryAfterMs, 60_000)));
			},
		);
	};
	activate('activate');
	for (const at of byHand)
		clock.schedule(at, () => void loadWorkflow(n8n.processAt(place), 'manual')(() => false).catch(recordPollError));
	for (const { at, dies } of restarts) {
		clock.schedule(at, () => {
			service.log(dies ? 'the process of the trigger dies' : 'the workflow is saved');
			if (!dies) return activate('update');
			const n8nProcess = n8n.processAt(place);
			n8nProcess.isDead = true;
			for (const action of n8nProcess.onDeath) action();
			n8n.start(place);
			activate('init');
		});
	}
}
