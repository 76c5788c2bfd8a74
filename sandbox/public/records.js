import { byId, cell, counted, element, nameOf, renderList, setText } from './dom.js';

/** Shows trunks and customers. @param {import('./types').Snapshot} snapshot */
export function renderRecords({ organizations, trunks, customers, customerCount }) {
	const counts = trunks.map(({ premiumCountries }) => premiumCountries.length).filter((count) => count > 0);
	const sum = counts.reduce((total, count) => total + count, 0);
	byId('no-premium').hidden = sum > 0;
	setText('premium-count', sum === 0 ? 'No premium country yet' : `${counted(sum, 'premium country', 'premium countries')} on ${counted(counts.length, 'trunk')}`);
	renderList(byId('trunk-rows'), trunks, ({ id, name, organizationId, premiumCountries, broken }) =>
		element('tr', { id: `trunk-${id}` },
			cell('id', String(id)), cell('name', name, broken && element('span', { class: 'fault' }, 'Broken on purpose: Set Premium gets a 500')),
			cell('organization', nameOf(organizationId, organizations)),
			cell('countries', ...(premiumCountries.length === 0 ? [element('span', { class: 'absent' }, 'None')] : premiumCountries.map(country)))));

	byId('no-customers').hidden = customerCount > 0;
	byId('customer-list').hidden = customerCount === 0;
	setText('customer-count', customerCount === 0 ? 'None yet' : `${counted(customerCount, 'customer')}${customerCount > customers.length ? ` · latest ${customers.length} shown` : ''}`);
	renderList(byId('customer-rows'), customers.toReversed(), ({ id, vatNumber, createdAt, ...others }) =>
		element('li', {},
			element('span', { class: 'id' }, String(id)), element('b', {}, vatNumber ?? 'No VAT number'),
			element('time', { class: 'detail', datetime: createdAt }, new Date(createdAt).toLocaleTimeString('en-GB')),
			element('span', { class: 'customer-fields' }, Object.entries(others).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' · '))));
}

/** @param {import('./types').PremiumCountry} premium */
function country({ iso, ...sent }) {
	const others = Object.entries(sent).map(([name, value]) => `${name}: ${value}`).join(', ');
	return element('span', { class: 'country' }, element('b', {}, iso), others !== '' && ` (${others})`);
}
