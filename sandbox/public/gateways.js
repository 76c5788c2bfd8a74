import { byId, cell, counted, element, nameOf, renderList, setText, wrappable } from './dom.js';
import { call, change, say } from './sandbox.js';
/** @import { Snapshot } from './types' */

const form = byId('gateway-form', HTMLFormElement);
const dialog = byId('gateway-dialog', HTMLDialogElement);
const fields = /** @type {import('./types').GatewayFields} */ (/** @type {unknown} */ (form.elements));
/** @type {Snapshot['gateways']} */
let all = [];
/** The one in the form, with fields that the form does not show. @type {Record<string, any>} */
let stored = {};

/** @param {Snapshot} snapshot */
export function renderGateways({ gateways, organizations }) {
	all = gateways;
	setText('gateway-count', counted(gateways.length, 'gateway'));
	renderList(byId('gateway-rows'), gateways, ({ id, name, type, organizationId, terminationUri: uri }) => {
		const [edit, remove] = ['Edit', 'Remove'].map((action) =>
			element('button', { type: 'button', class: 'small needs-sandbox', 'data-action': action, 'data-id': id, 'aria-label': `${action} gateway ${id}` }, action));
		return element('tr', { role: 'row' },
			cell('id', id), cell('name', name), cell('type', type), cell('organization', nameOf(organizationId, organizations)),
			cell('uri', typeof uri === 'string' ? wrappable(uri) : element('span', { class: 'absent' }, uri === null ? 'null' : 'Absent')),
			cell('actions', edit, ' ', remove));
	});
}

byId('add-gateway').addEventListener('click', () => open('Add a gateway', { type: 'elastic-sip-trunk', organizationId: 10, terminationUri: '' }));
byId('gateway-rows').addEventListener('click', async ({ target }) => {
	const { action, id } = target instanceof HTMLButtonElement ? target.dataset : {};
	const gateway = all.find((other) => other.id === id);
	if (action === 'Edit' && gateway) open(`Edit gateway ${id}`, gateway);
	if (action === 'Remove' && (await change(`Gateway ${id} removed.`, 'DELETE', 'gateways', { id }))) byId('add-gateway').focus();
});
fields.uriKind.addEventListener('change', () => { fields.terminationUri.disabled = fields.uriKind.value !== 'text'; });

/** @type {(title: string, gateway: Record<string, any>) => void} */
function open(title, gateway) {
	stored = gateway;
	const { id = '', name = '', type, organizationId, terminationUri } = gateway;
	const uriKind = typeof terminationUri === 'string' ? 'text' : String(terminationUri);
	const values = { id, name, type, organizationId, uriKind, terminationUri: terminationUri ?? '' };
	for (const field of /** @type {Array<keyof values>} */ (Object.keys(values))) fields[field].value = values[field];
	fields.id.readOnly = id !== '';
	fields.terminationUri.disabled = uriKind !== 'text';
	byId('gateway-title').textContent = title;
	byId('gateway-error').textContent = '';
	dialog.showModal();
	fields[id === '' ? 'id' : 'name'].focus();
}

form.addEventListener('submit', async (event) => {
	if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.value !== 'save') return;
	event.preventDefault();
	const { terminationUri: _, ...others } = stored;
	const { uriKind, terminationUri = null, ...texts } = Object.fromEntries(new FormData(form));
	const gateway = { ...others, ...texts, organizationId: fields.organizationId.valueAsNumber, ...(uriKind !== 'undefined' && { terminationUri }) };
	const { error = '' } = await call('PUT', 'gateways', gateway);
	byId('gateway-error').textContent = error;
	if (error !== '') return;
	dialog.close();
	// a snapshot may have replaced the button that the dialog would give the focus back to
	const edit = [...byId('gateway-rows').querySelectorAll('button')].find(({ dataset }) => dataset.action === 'Edit' && dataset.id === texts.id);
	if (fields.id.readOnly) edit?.focus();
	say(`Gateway ${texts.id} saved.`);
});
