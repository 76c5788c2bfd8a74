import { byId, cell, counted, element } from './element.js';

/** Customers of the page at most. */
const MOST_CUSTOMERS = 100;

let organizations = new Map();
const premiumCounts = new Map();

/** Shows all records, in place of those that are shown. */
export function showBooks(snapshot) {
	organizations = new Map(snapshot.organizations.map(({ id, name }) => [id, name]));
	premiumCounts.clear();
	byId('trunk-rows').replaceChildren(...snapshot.trunks.map((trunk) => trunkRow(trunk)));
	showGateways(snapshot.gateways);
	byId('customer-rows').replaceChildren(...snapshot.customers.toReversed().map(customerCard));
	showPremiumCount();
	showCustomerCount(snapshot.customerCount);
}

/** Shows all gateways, in place of those that are shown. */
export function showGateways(gateways) {
	byId('gateway-rows').replaceChildren(...gateways.map(gatewayRow));
}

/** Shows trunks as they are now. */
export function updateTrunks(trunks) {
	for (const trunk of trunks) {
		const row = trunkRow(trunk);
		row.classList.add('new');
		byId(row.id).replaceWith(row);
	}
	showPremiumCount();
}

/** Adds customers on top. */
export function addCustomers(customers) {
	const cards = byId('customer-rows');
	const made = customers.slice(-MOST_CUSTOMERS).toReversed().map(customerCard);
	for (const card of made) card.classList.add('new');
	cards.prepend(...made);
	while (cards.childElementCount > MOST_CUSTOMERS) cards.lastElementChild.remove();
}

export function showCustomerCount(count) {
	byId('no-customers').hidden = count > 0;
	byId('customer-scroll').hidden = count === 0;
	byId('customer-count').textContent = count === 0 ? 'None yet' : `${counted(count, 'customer')}${count > MOST_CUSTOMERS ? `, the latest ${MOST_CUSTOMERS} are shown` : ''}`;
}

function showPremiumCount() {
	const counts = [...premiumCounts.values()].filter((count) => count > 0);
	const sum = counts.reduce((total, count) => total + count, 0);
	byId('no-premium').hidden = sum > 0;
	byId('premium-count').textContent = sum === 0 ? 'No premium country yet' : `${counted(sum, 'premium country', 'premium countries')} on ${counted(counts.length, 'trunk')}`;
}

function trunkRow({ id, name, organizationId, premiumCountries, premiumCount, broken }) {
	premiumCounts.set(id, premiumCount);
	const left = premiumCount - premiumCountries.length;
	return element('tr', { role: 'row', id: `trunk-${id}` },
		cell({ class: 'id' }, String(id)),
		cell({}, name, broken ? element('span', { class: 'fault' }, 'broken on purpose: setting premium on it gives 500') : undefined),
		cell({ class: 'organization' }, organization(organizationId)),
		cell({ class: 'countries' }, ...(premiumCount === 0 ? [element('span', { class: 'absent' }, 'none')] : premiumCountries.map(country)), left > 0 ? `and ${left} earlier ones` : undefined),
	);
}

function country({ iso, organizationId, sbcId, premium_available: available }) {
	const sent = [
		organizationId !== undefined && `organization ${organizationId}`,
		sbcId !== undefined && `SBC ${sbcId}`,
		available !== undefined && `premium_available: ${available}`,
	].filter(Boolean);
	return element('span', { class: 'country' }, element('b', {}, iso), sent.length > 0 ? ` (${sent.join(', ')})` : undefined);
}

function gatewayRow(gateway) {
	const { id, name, type, organizationId, terminationUri } = gateway;
	const uri = typeof terminationUri === 'string' ? terminationUri : element('span', { class: 'absent' }, terminationUri === null ? 'null' : 'not in the reply');
	return element('tr', { role: 'row' },
		cell({ class: 'id' }, id),
		cell({}, name, element('span', { class: 'detail' }, `${type}, organization ${organizationId}`)),
		cell({ class: 'uri' }, uri),
	);
}

function organization(id) {
	return `${id} ${organizations.get(id) ?? ''}`.trimEnd();
}

function customerCard({ id, vatNumber, createdAt, fields, fieldCount }) {
	const left = fieldCount - fields.length;
	return element('li', {},
		element('span', { class: 'id' }, `${id}`),
		element('b', {}, vatNumber ?? 'no VAT number'),
		element('time', { class: 'detail', datetime: createdAt }, new Date(createdAt).toLocaleTimeString('en-GB')),
		fields.length === 0 ? undefined : element('span', { class: 'customer-fields' }, fields.map(({ name, value }) => `${name}: ${value}`).join(' · '), left > 0 ? ` · and ${left} more` : ''),
	);
}
