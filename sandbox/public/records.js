import { byId, cell, counted, element, renderList, setText, wrappable } from './dom.js';

/** Shows trunks, customers and gateways. @param {import('./types').Snapshot} snapshot */
export function renderRecords({ organizations, trunks, customers, customerCount, gateways }) {
	/** @type {<Item extends { organizationId: number }>(item: Item) => Item & { organization: string }} */
	const withOrganization = (item) => ({ ...item, organization: `${item.organizationId} ${organizations.find(({ id }) => id === item.organizationId)?.name ?? ''}` });

	const premium = trunks.map(({ premiumCount }) => premiumCount).filter((count) => count > 0);
	const sum = premium.reduce((total, count) => total + count, 0);
	byId('no-premium').hidden = sum > 0;
	setText('premium-count', sum === 0 ? 'No premium country yet' : `${counted(sum, 'premium country', 'premium countries')} on ${counted(premium.length, 'trunk')}`);
	renderList(byId('trunk-rows'), trunks.map(withOrganization), ({ id, name, organization, premiumCountries, premiumCount, broken }) =>
		element('tr', { role: 'row', id: `trunk-${id}` },
			cell('id', String(id)), cell('name', name, broken && element('span', { class: 'fault' }, 'Broken on purpose: Set Premium gets a 500')),
			cell('organization', organization), cell('countries',
				...(premiumCount === 0 ? [element('span', { class: 'absent' }, 'None')] : premiumCountries.map(country)),
				premiumCount > premiumCountries.length && `and ${premiumCount - premiumCountries.length} earlier ones`)));

	byId('no-customers').hidden = customerCount > 0;
	byId('customer-list').hidden = customerCount === 0;
	setText('customer-count', customerCount === 0 ? 'None yet' : `${counted(customerCount, 'customer')}${customerCount > customers.length ? ` · latest ${customers.length} shown` : ''}`);
	renderList(byId('customer-rows'), customers.toReversed(), ({ id, vatNumber, createdAt, fields, fieldCount }) =>
		element('li', {},
			element('span', { class: 'id' }, String(id)), element('b', {}, vatNumber ?? 'No VAT number'),
			element('time', { class: 'detail', datetime: createdAt }, new Date(createdAt).toLocaleTimeString('en-GB')),
			element('span', { class: 'customer-fields' }, fields.map(({ name, value }) => `${name}: ${value}`).join(' · '), fieldCount > fields.length && ` · and ${fieldCount - fields.length} more`)));

	setText('gateway-count', counted(gateways.length, 'gateway'));
	renderList(byId('gateway-rows'), gateways.map(withOrganization), ({ id, name, type, organization, terminationUri: uri }) => {
		const [edit, remove] = ['Edit', 'Remove'].map((action) =>
			element('button', { type: 'button', class: 'small needs-sandbox', 'data-action': action, 'data-id': id, 'aria-label': `${action} gateway ${id}` }, action));
		return element('tr', { role: 'row' },
			cell('id', id), cell('name', name), cell('type', type), cell('organization', organization),
			cell('uri', typeof uri === 'string' ? wrappable(uri) : element('span', { class: 'absent' }, uri === null ? 'null' : 'Absent')),
			cell('actions', edit, ' ', remove));
	});
}

/** @param {import('./types').PremiumCountry} premium */
function country({ iso, ...sent }) {
	const others = Object.entries(sent).map(([name, value]) => `${name}: ${value}`).join(', ');
	return element('span', { class: 'country' }, element('b', {}, iso), others !== '' && ` (${others})`);
}
