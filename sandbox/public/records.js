import { getById, formatCount, create, createWithClass, renderList, setText, formatValue } from './dom.js';
import { callSandbox, callAndReport, showMessage } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */

/** Shows trunks, customers and gateways. @param {Snapshot} snapshot */
export function renderRecords({ trunks, customers, customerCount, gateways }) {
	getById('no-premium').hidden = trunks.some(({ premiumCountries }) => premiumCountries.length > 0);
	renderList(getById('trunk-rows'), trunks, createTrunkRow);

	const limitNote = customerCount > customers.length ? ` · latest ${customers.length} shown` : '';
	getById('no-customers').hidden = customerCount > 0;
	setText('customer-count', customerCount === 0 ? '' : formatCount(customerCount, 'customer') + limitNote);
	renderList(getById('customer-rows'), customers.toReversed(), createCustomerRow);

	renderList(getById('gateway-rows'), gateways, createGatewayRow);
}

/** @type {(fields: object) => string} */
const formatFields = (fields) =>
	Object.entries(fields)
		.map(([name, value]) => `${name}: ${formatValue(value)}`)
		.join(', ');

/** @param {Snapshot['trunks'][number]} trunk */
function createTrunkRow({ id, name, organizationId, premiumCountries, broken }) {
	const countries = premiumCountries.map(({ iso, ...fields }) =>
		createWithClass('span', 'country', create('b', {}, iso), formatFields(fields) && ` ${formatFields(fields)}`),
	);
	return create(
		'tr',
		{ id: `trunk-${id}` },
		create('td', {}, String(id)),
		create('td', {}, name, broken && createWithClass('p', 'failed', 'Broken on purpose: Set Premium gets a 500')),
		create('td', {}, String(organizationId)),
		create('td', {}, ...countries.flatMap((country) => [country, ' '])),
	);
}

/** @param {Snapshot['customers'][number]} customer */
const createCustomerRow = ({ id, vatNumber, ...others }) =>
	create('li', {}, `${id} `, create('b', {}, vatNumber ?? 'No VAT number'), ` ${formatFields(others)}`);

/** @param {Snapshot['gateways'][number]} gateway */
function createGatewayRow(gateway) {
	const { id, name, type, organizationId, terminationUri: uri } = gateway;
	/** @type {(action: string, onClick: () => unknown) => HTMLElement} */
	const createButton = (action, onClick) => {
		const button = create('button', { class: 'needs-sandbox', 'aria-label': `${action} gateway ${id}` }, action);
		button.addEventListener('click', onClick);
		return button;
	};
	const remove = () => callAndReport(`Gateway ${id} removed.`, 'DELETE', 'gateways', { id });
	return create(
		'tr',
		{},
		...[id, name, type, String(organizationId), uri === undefined ? 'Absent' : String(uri)].map((text) =>
			create('td', {}, text),
		),
		create(
			'td',
			{},
			createButton('Edit', () => editGateway(gateway)),
			' ',
			createButton('Remove', remove),
		),
	);
}

/**
 * Lets the user edit a gateway, or with another ID add one, until the sandbox accepts it, or it is canceled.
 * @param {{ id: string }} gateway
 */
async function editGateway(gateway) {
	const question = `Gateway ${gateway.id}, as JSON. With another ID, it is added.`;
	for (let text = prompt(question, JSON.stringify(gateway)); text !== null;) {
		const { error } = await callSandbox('PUT', 'gateways', text);
		if (error === undefined) return showMessage('Gateway saved.');
		text = prompt(error, text);
	}
}
