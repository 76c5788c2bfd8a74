import { byId, formatCount, element, withClass, renderList, setText, formatValue, wrappable } from './dom.js';
import { call, change, say } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */

const NEW = { id: '', name: '', type: 'elastic-sip-trunk', organizationId: 10, terminationUri: '' };

/** @type {Snapshot} */
let latest;

/** Shows trunks, customers and gateways. @param {Snapshot} snapshot */
export function renderRecords(snapshot) {
	latest = snapshot;
	const { trunks, customers, customerCount, gateways } = snapshot;
	const counts = trunks.map(({ premiumCountries }) => premiumCountries.length).filter((count) => count > 0);
	const sum = counts.reduce((total, count) => total + count, 0);
	const countries = formatCount(sum, 'premium country', 'premium countries');
	byId('no-premium').hidden = sum > 0;
	setText(
		'premium-count',
		sum === 0 ? 'No premium country yet' : `${countries} on ${formatCount(counts.length, 'trunk')}`,
	);
	renderList(byId('trunk-rows'), trunks, trunkRow);

	const latestShown = customerCount > customers.length ? ` · latest ${customers.length} shown` : '';
	byId('no-customers').hidden = customerCount > 0;
	byId('customer-list').hidden = customerCount === 0;
	setText('customer-count', customerCount === 0 ? 'None yet' : formatCount(customerCount, 'customer') + latestShown);
	renderList(byId('customer-rows'), customers.toReversed(), customerRow);

	setText('gateway-count', formatCount(gateways.length, 'gateway'));
	renderList(byId('gateway-rows'), gateways, gatewayRow);
}

/** @param {number} id */
const organization = (id) => `${id} ${latest.organizations.find((other) => other.id === id)?.name ?? ''}`;

/** @param {Snapshot['trunks'][number]} trunk */
function trunkRow({ id, name, organizationId, premiumCountries, broken }) {
	const countries = premiumCountries.map(({ iso, ...fields }) => {
		const others = Object.entries(fields)
			.map(([field, value]) => `${field}: ${value}`)
			.join(', ');
		return withClass('span', 'country', element('b', {}, iso), others !== '' && ` (${others})`);
	});
	return element(
		'tr',
		{ id: `trunk-${id}` },
		withClass('td', 'id', String(id)),
		withClass('td', 'name', name, broken && withClass('span', 'fault', 'Broken on purpose: Set Premium gets a 500')),
		withClass('td', 'organization', organization(organizationId)),
		withClass('td', 'countries', ...(countries.length === 0 ? [withClass('span', 'absent', 'None')] : countries)),
	);
}

/** @param {Snapshot['customers'][number]} customer */
function customerRow({ id, vatNumber, createdAt, ...others }) {
	const fields = Object.entries(others).map(([name, value]) => `${name}: ${formatValue(value)}`);
	const time = element(
		'time',
		{ class: 'detail', datetime: createdAt },
		new Date(createdAt).toLocaleTimeString('en-GB'),
	);
	const vat = element('b', {}, vatNumber ?? 'No VAT number');
	return element(
		'li',
		{},
		withClass('span', 'id', String(id)),
		vat,
		time,
		withClass('span', 'customer-fields', fields.join(' · ')),
	);
}

/** @param {Snapshot['gateways'][number]} gateway */
function gatewayRow({ id, name, type, organizationId, terminationUri: uri }) {
	const [edit, remove] = ['Edit', 'Remove'].map((action) =>
		element(
			'button',
			{
				type: 'button',
				class: 'small needs-sandbox',
				'data-action': action,
				'data-id': id,
				'aria-label': `${action} gateway ${id}`,
			},
			action,
		),
	);
	return element(
		'tr',
		{},
		withClass('td', 'id', id),
		withClass('td', 'name', name),
		withClass('td', 'type', type),
		withClass('td', 'organization', organization(organizationId)),
		withClass(
			'td',
			'uri',
			typeof uri === 'string' ? wrappable(uri) : withClass('span', 'absent', uri === null ? 'null' : 'Absent'),
		),
		withClass('td', 'actions', edit, ' ', remove),
	);
}

byId('add-gateway').addEventListener('click', () => askFor('The new gateway, as JSON', NEW));
byId('gateway-rows').addEventListener('click', async ({ target }) => {
	const { action, id } = target instanceof HTMLButtonElement ? target.dataset : {};
	const gateway = latest.gateways.find((other) => other.id === id);
	if (action === 'Edit' && gateway) await askFor(`Gateway ${id}, as JSON`, gateway);
	if (action === 'Remove' && (await change(`Gateway ${id} removed.`, 'DELETE', 'gateways', { id })))
		byId('add-gateway').focus();
});

/**
 * Lets the user edit a gateway until the sandbox accepts it, or it is canceled.
 * @type {(question: string, gateway: object) => Promise<void>}
 */
async function askFor(question, gateway) {
	for (let text = prompt(question, JSON.stringify(gateway)); text !== null;) {
		const { error } = await call('PUT', 'gateways', text);
		if (error === undefined) return say('Gateway saved.');
		text = prompt(error, text);
	}
}
