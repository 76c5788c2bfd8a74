import type { Customer } from '../../sandbox';
import { chain, webhook } from '../../scripts/n8n/workflow.mts';
import { addCustomer } from '../support/operations';

/** A workflow that adds the customers that its webhook is given, and replies with what the node gave for each. */
export const CUSTOMERS = 'customers';

/**
 * The same in the form that n8n imports. Each customer carries the execution that created it.
 * @param id of the workflow, and path of its webhook
 */
export function customersWorkflow(credential: { id: string; name: string }, id = CUSTOMERS): object {
	return chain({
		id,
		name: `Add customers with ${credential.name}`,
		start: webhook(id),
		nodes: [
			{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.customers' } },
			{
				name: 'Voice Admin',
				type: 'n8n-nodes-voice-admin.voiceAdmin',
				typeVersion: 1,
				parameters: addCustomer('={{ $json.vatNumber }}', { otherFields: '={{ { execution: $execution.id } }}' }),
				credentials: { voiceAdminApi: credential },
			},
		],
	});
}

/** Lists of VAT numbers, all of them different, from a number of nine digits on. */
export function listsFrom(first: number, count: number, length: number): string[][] {
	return Array.from({ length: count }, (_, list) => Array.from({ length }, (__, index) => `DE${first + list * length + index}`));
}

/** Calls a webhook, and gives its reply. A caller who is told to stop waiting has none. */
export async function post(webhook: string, body: object, stopWaiting?: AbortSignal): Promise<{ status: number; body: unknown } | undefined> {
	try {
		const response = await fetch(webhook, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal: stopWaiting });
		return { status: response.status, body: await response.json() };
	} catch (error) {
		if (!stopWaiting?.aborted) throw error;
		return undefined;
	}
}

/** Customers by a field of theirs. */
export function customersBy(field: 'vatNumber' | 'execution', customers: Customer[]): Map<string, Customer[]> {
	const groups = new Map<string, Customer[]>();
	for (const customer of customers) {
		const key = String(customer[field]);
		groups.set(key, [...(groups.get(key) ?? []), customer]);
	}
	return groups;
}
