import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Living, N8n, NodeError } from './n8n';
import { TRIGGER } from './service';
import type { World } from './world';

/** From then on the service is well; and as long as this, the trigger goes on. */
const WELL_MS = 200_000;

/**
 * A workflow with the trigger, as n8n activates and polls it; what happens to its gateways; and the deaths of its process.
 * n8n stores the trigger's state, where it has changed, after the first poll, and before it starts an execution with what another one gave.
 */
export function watch(
	n8n: N8n,
	{ process: place, everyMs, gateways, changes, byHand, restarts }: NonNullable<World['trigger']>,
): void {
	const { clock, history, service } = n8n;
	n8n.goingOn++;
	const ids = Array.from({ length: gateways }, (_, nth) => `900${nth}`);
	for (const id of ids) service.gateways.set(id, [{ at: 0, value: { id, version: 0 } }]);
	for (const [nth, { at, gateway, removes }] of changes.entries()) {
		clock.at(at, () => {
			const id = ids[gateway % gateways]!;
			const states = service.gateways.get(id)!;
			states.push({ at, value: removes && states.at(-1)!.value ? undefined : { id, version: nth + 1 } });
			service.log(`gateway ${id} is ${JSON.stringify(states.at(-1)!.value)}`);
		});
	}
	clock.at(WELL_MS, () => (service.isWell = true));
	clock.at(2 * WELL_MS + 3 * everyMs, () => {
		activations++;
		n8n.goingOn--;
	});
	/** Only the last one goes on. */
	let activations = 0;
	let database = '{}';
	/** The workflow as n8n has loaded it. @returns what polls it */
	const load = (living: Living, mode: 'trigger' | 'manual', activation?: string) => {
		let saved = database;
		const staticData = JSON.parse(saved) as IDataObject;
		const { node, ...lent } = n8n.lend('voiceAdminTrigger', living, 0, () => ({ run: TRIGGER, attempt: 0 }));
		const parameters: Record<string, unknown> = {
			gatewayIds: ids,
			events: ['appeared', 'changed', 'disappeared'],
			watch: 'all',
		};
		const context = {
			...lent,
			getNode: () => node,
			getWorkflow: () => ({ id: n8n.baseUrl }),
			getMode: () => mode,
			getActivationMode: () => activation,
			getWorkflowStaticData: () => staticData,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			__emitError: (error: NodeError) => void history.pollErrors.push(error),
		};
		return async (stores: (hasItems: boolean) => boolean): Promise<void> => {
			const output = (await living.process.trigger.poll.call(context as never)) as INodeExecutionData[][] | null;
			const state = JSON.stringify(staticData);
			if (stores(output !== null) && state !== saved) database = saved = state;
			for (const { json } of output?.[0] ?? []) {
				history.events.push({ at: clock.now, mode, ...json } as never);
				service.log(
					`trigger${mode === 'manual' ? ' by hand' : ''}: gateway ${String(json.gatewayId)} ${String(json.event)}`,
				);
			}
		};
	};
	const failed = (error: unknown) => void history.pollErrors.push(error as NodeError);
	const activate = (activation: string, retryAfterMs = 1_000): void => {
		const own = ++activations;
		const after = (ms: number, act: () => void) => clock.at(ms, () => own === activations && act());
		const poll = load(n8n.at(place), 'trigger', activation);
		const goOn = () => {
			after(everyMs, goOn);
			poll((hasItems) => hasItems).catch(failed);
		};
		poll(() => true).then(
			() => after(everyMs, goOn),
			(error) => {
				failed(error);
				after(retryAfterMs, () => activate('init', Math.min(2 * retryAfterMs, 60_000)));
			},
		);
	};
	activate('activate');
	for (const at of byHand) clock.at(at, () => void load(n8n.at(place), 'manual')(() => false).catch(failed));
	for (const { at, dies } of restarts) {
		clock.at(at, () => {
			service.log(dies ? 'the process of the trigger dies' : 'the workflow is saved');
			if (!dies) return activate('update');
			const living = n8n.at(place);
			living.isDead = true;
			for (const act of living.onDeath) act();
			n8n.start(place);
			activate('init');
		});
	}
}
