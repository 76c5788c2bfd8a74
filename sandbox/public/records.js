import { byId, formatCount, element, withClass, renderList, setText, formatValue } from './dom.js';
import { call, change, say } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */

/** Shows trunks, customers and gateways. @param {Snapshot} snapshot */
export function renderRecords({ trunks, customers, customerCount, gateways }) {
	byId('no-premium').hidden = trunks.some(({ premiumCountries }) => premiumCountries.length > 0);
	renderList(byId('trunk-rows'), trunks, trunkRow);

	const latestShown = customerCount > customers.length ? ` · latest ${customers.length} shown` : '';
	byId('no-customers').hidden = customerCount > 0;
	setText('customer-count', customerCount === 0 ? '' : formatCount(customerCount, 'customer') + latestShown);
	renderList(byId('customer-rows'), customers.toReversed(), customerRow);

	renderList(byId('gateway-rows'), gateways, gatewayRow);
}

/** @type {(fields: object) => string} */
const listOf = (fields) =>
	Object.entries(fields)
		.map(([name, value]) => `${name}: ${formatValue(value)}`)
		.join(', ');

/** @param {Snapshot['trunks'][number]} trunk */
function trunkRow({ id, name, organizationId, premiumCountries, broken }) {
	const countries = premiumCountries.map(({ iso, ...fields }) =>
		withClass('span', 'country', element('b', {}, iso), listOf(fields) && ` ${listOf(fields)}`),
	);
	return element(
		'tr',
		{ id: `trunk-${id}` },
		element('td', {}, String(id)),
		element('td', {}, name, broken && withClass('p', 'failed', 'Broken on purpose: Set Premium gets a 500')),
		element('td', {}, String(organizationId)),
		element('td', {}, ...countries.flatMap((country) => [country, ' '])),
	);
}

/** @param {Snapshot['customers'][number]} customer */
const customerRow = ({ id, vatNumber, ...others }) =>
	element('li', {}, `${id} `, element('b', {}, vatNumber ?? 'No VAT number'), ` ${listOf(others)}`);

/** @param {Snapshot['gateways'][number]} gateway */
function gatewayRow(gateway) {
	const { id, name, type, organizationId, terminationUri: uri } = gateway;
	/** @type {(action: string, work: () => unknown) => HTMLElement} */
	const button = (action, work) => {
		const made = element('button', { class: 'needs-sandbox', 'aria-label': `${action} gateway ${id}` }, action);
		made.addEventListener('click', work);
		return made;
	};
	const remove = () => change(`Gateway ${id} removed.`, 'DELETE', 'gateways', { id });
	return element(
		'tr',
		{},
		...[id, name, type, String(organizationId), uri === undefined ? 'Absent' : String(uri)].map((text) =>
			element('td', {}, text),
		),
		element(
			'td',
			{},
			button('Edit', () => edit(gateway)),
			' ',
			button('Remove', remove),
		),
	);
}

/**
 * Lets the user edit a gateway, or with another ID add one, until the sandbox accepts it, or it is canceled.
 * @param {{ id: string }} gateway
 */
async function edit(gateway) {
	const question = `Gateway ${gateway.id}, as JSON. With another ID, it is added.`;
	for (let text = prompt(question, JSON.stringify(gateway)); text !== null;) {
		const { error } = await call('PUT', 'gateways', text);
		if (error === undefined) return say('Gateway saved.');
		text = prompt(error, text);
	}
}
