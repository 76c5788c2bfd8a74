import { byId, counted, element, part, renderList, setText, textOf, wrappable } from './dom.js';
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
	const countries = counted(sum, 'premium country', 'premium countries');
	byId('no-premium').hidden = sum > 0;
	setText('premium-count', sum === 0 ? 'No premium country yet' : `${countries} on ${counted(counts.length, 'trunk')}`);
	renderList(byId('trunk-rows'), trunks, trunkRow);

	const latestShown = customerCount > customers.length ? ` · latest ${customers.length} shown` : '';
	byId('no-customers').hidden = customerCount > 0;
	byId('customer-list').hidden = customerCount === 0;
	setText('customer-count', customerCount === 0 ? 'None yet' : counted(customerCount, 'customer') + latestShown);
	renderList(byId('customer-rows'), customers.toReversed(), customerRow);

	setText('gateway-count', counted(gateways.length, 'gateway'));
	renderList(byId('gateway-rows'), gateways, gatewayRow);
}

/** @param {number} id */
const organization = (id) => `${id} ${latest.organizations.find((other) => other.id === id)?.name ?? ''}`;

/** @param {Snapshot['trunks'][number]} trunk */
function trunkRow({ id, name, organizationId, premiumCountries, broken }) {
	const countries = premiumCountries.map(({ iso, ...sent }) => {
		const others = Object.entries(sent)
			.map(([field, value]) => `${field}: ${value}`)
			.join(', ');
		return part('span', 'country', element('b', {}, iso), others !== '' && ` (${others})`);
	});
	return element(
		'tr',
		{ id: `trunk-${id}` },
		part('td', 'id', String(id)),
		part('td', 'name', name, broken && part('span', 'fault', 'Broken on purpose: Set Premium gets a 500')),
		part('td', 'organization', organization(organizationId)),
		part('td', 'countries', ...(countries.length === 0 ? [part('span', 'absent', 'None')] : countries)),
	);
}

/** @param {Snapshot['customers'][number]} customer */
function customerRow({ id, vatNumber, createdAt, ...others }) {
	const fields = Object.entries(others).map(([name, value]) => `${name}: ${textOf(value)}`);
	const time = element(
		'time',
		{ class: 'detail', datetime: createdAt },
		new Date(createdAt).toLocaleTimeString('en-GB'),
	);
	const vat = element('b', {}, vatNumber ?? 'No VAT number');
	return element(
		'li',
		{},
		part('span', 'id', String(id)),
		vat,
		time,
		part('span', 'customer-fields', fields.join(' · ')),
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
		part('td', 'id', id),
		part('td', 'name', name),
		part('td', 'type', type),
		part('td', 'organization', organization(organizationId)),
		part(
			'td',
			'uri',
			typeof uri === 'string' ? wrappable(uri) : part('span', 'absent', uri === null ? 'null' : 'Absent'),
		),
		part('td', 'actions', edit, ' ', remove),
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
