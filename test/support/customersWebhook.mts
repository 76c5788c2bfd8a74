import type { Customer } from '../../sandbox';
import { chain, webhook } from '../../scripts/n8n/workflow.mts';
import { addCustomer } from './operations';

/** A workflow that adds the customers that its webhook is given, and replies with what the node gave for each. */
export const CUSTOMERS = 'customers';

/** The same in the form that n8n imports. Each customer carries the execution that created it. */
export function customersWorkflow(credential: { id: string; name: string }): object {
	return chain({
		id: CUSTOMERS,
		name: 'Add customers',
		start: webhook(CUSTOMERS),
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

/** One call of the webhook. */
export interface Batch {
	vatNumbers: string[];
	/** What the caller was told; undefined as long as it waits. */
	reply?: { status: number; body: unknown };
}

/** So many batches of so many customers each, all of them different. */
export function batchesOf(count: number, size: number, firstNumber: number): Batch[] {
	const vatNumber = (index: number) => `IT${String(firstNumber + index).padStart(11, '0')}`;
	return Array.from({ length: count }, (_, batch) => ({ vatNumbers: Array.from({ length: size }, (__, item) => vatNumber(batch * size + item)) }));
}

/** Calls the webhook with a batch, and notes the reply. A caller who is told to stop waiting has none. */
export async function send(batch: Batch, webhook: string, stopWaiting: AbortSignal): Promise<void> {
	try {
		const response = await fetch(webhook, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ customers: batch.vatNumbers.map((vatNumber) => ({ vatNumber })) }),
			signal: stopWaiting,
		});
		batch.reply = { status: response.status, body: await response.json() };
	} catch (error) {
		if (!stopWaiting.aborted) throw error;
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
