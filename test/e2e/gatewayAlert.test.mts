import type { IDataObject } from 'n8n-workflow';

import { POLL_TIMES, readExample, withNode, withPostInPlaceOf } from '../support/n8n/example.mts';
import { inExamples } from '../support/n8n/inExamples.mts';
import { until } from '../support/until';

const ID = 'gateway-alert';
const WATCHED = 3;
const ALERT_WITHIN_MS = 90_000;
const PATIENCE = { everyMs: 100, withinMs: ALERT_WITHIN_MS };

/** Of its own, as this file's polls would disturb the examples that run beside it. */
const ACCOUNT = 'Gateway alert account';

const fixture = inExamples(
	[
		async ({ people }) => {
			const example = withPostInPlaceOf(await readExample(ID), 'Send the alert here', people.url);
			return [
				withNode(example, 'When a gateway changes', (trigger) => {
					Object.assign(trigger.parameters, { pollTimes: POLL_TIMES });
					trigger.credentials = { voiceAdminApi: { id: ACCOUNT.replaceAll(' ', ''), name: ACCOUNT } };
				}),
			];
		},
	],
	[ID],
	ACCOUNT,
);

const polls = () => fixture().sandbox.requests().filter(({ method }) => method === 'GET').length;

/** Until all gateways were polled once more. */
async function nextPoll(): Promise<void> {
	const wanted = polls() + 2 * WATCHED;
	await until(() => polls() >= wanted, 'n8n has polled the gateways', PATIENCE);
}

/** Changes the sandbox's gateways, and gives the next alert. */
async function alertAfter(method: 'PUT' | 'DELETE', gateway: object): Promise<IDataObject> {
	const changed = await fetch(`${fixture().sandbox.url}/_sandbox/gateways`, { method, body: JSON.stringify(gateway) });
	if (!changed.ok) throw new Error(`The sandbox did not change its gateway: ${changed.status} ${await changed.text()}`);
	const alerts: IDataObject[] = [];
	await until(() => alerts.push(...fixture().people.taken()) > 0, 'an alert has come', PATIENCE);
	expect(alerts).toHaveLength(1);
	return alerts[0]!;
}

test('the alert says what has changed in a gateway, that it is gone, and that it is back; the first poll gives none', async () => {
	await nextPoll();
	expect(fixture().people.taken()).toEqual([]);
	const gateway = { id: '1', name: 'Milano Elastic 1', type: 'elastic-sip-trunk', organizationId: 10 };

	expect(await alertAfter('PUT', { ...gateway, terminationUri: 'other.sip.sandbox.example' })).toEqual({
		gatewayId: '1',
		text: 'Gateway 1 has changed:\n- terminationUri: milano-1.sip.sandbox.example → other.sip.sandbox.example',
	});
	expect((await alertAfter('PUT', { ...gateway, terminationUri: null })).text).toBe('Gateway 1 has changed:\n- terminationUri: other.sip.sandbox.example → none');
	const gone = (await alertAfter('DELETE', { id: '1' })).text;
	expect(gone).toMatch(/^Gateway 1 is no longer found\. It had:\n/);
	expect(gone).toContain('- name: Milano Elastic 1\n');
	const back = (await alertAfter('PUT', gateway)).text;
	expect(back).toMatch(/^Gateway 1 has appeared:\n/);
	expect(back).toContain('- name: none → Milano Elastic 1');
}, 5 * ALERT_WITHIN_MS);
