import { byId, cell, counted, element, nameOf, renderList, setText, wrappable } from './dom.js';
import { call, change, say } from './sandbox.js';
/** @import { Snapshot } from './types' */

const NEW = { id: '', name: '', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: '' };

const dialog = byId('gateway-dialog', HTMLDialogElement);
const json = byId('gateway-json', HTMLTextAreaElement);
/** @type {Snapshot['gateways']} */
let all = [];

/** @param {Snapshot} snapshot */
export function renderGateways({ gateways, organizations }) {
	all = gateways;
	setText('gateway-count', counted(gateways.length, 'gateway'));
	renderList(byId('gateway-rows'), gateways, ({ id, name, type, organizationId, terminationUri: uri }) => {
		const [edit, remove] = ['Edit', 'Remove'].map((action) =>
			element('button', { type: 'button', class: 'small needs-sandbox', 'data-action': action, 'data-id': id, 'aria-label': `${action} gateway ${id}` }, action));
		return element('tr', {},
			cell('id', id), cell('name', name), cell('type', type), cell('organization', nameOf(organizationId, organizations)),
			cell('uri', typeof uri === 'string' ? wrappable(uri) : element('span', { class: 'absent' }, uri === null ? 'null' : 'Absent')),
			cell('actions', edit, ' ', remove));
	});
}

byId('add-gateway').addEventListener('click', () => open('Add a gateway', NEW));
byId('gateway-rows').addEventListener('click', async ({ target }) => {
	const { action, id } = target instanceof HTMLButtonElement ? target.dataset : {};
	const gateway = all.find((other) => other.id === id);
	if (action === 'Edit' && gateway) open(`Edit gateway ${id}`, gateway);
	if (action === 'Remove' && (await change(`Gateway ${id} removed.`, 'DELETE', 'gateways', { id }))) byId('add-gateway').focus();
});

/** @type {(title: string, gateway: object) => void} */
function open(title, gateway) {
	byId('gateway-title').textContent = title;
	byId('gateway-error').textContent = '';
	json.value = JSON.stringify(gateway, null, 2);
	dialog.showModal();
}

byId('gateway-form').addEventListener('submit', async (event) => {
	if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.value !== 'save') return;
	event.preventDefault();
	// As it is written: the sandbox says what is wrong with it.
	const { error = '' } = await call('PUT', 'gateways', json.value);
	byId('gateway-error').textContent = error;
	if (error !== '') return;
	dialog.close();
	say('Gateway saved.');
});
