import { announce, say } from './announce.js';
import { addCustomers, showBooks, showCustomerCount, showGateways, updateTrunks } from './books.js';
import { ask, connect } from './connection.js';
import { byId, counted } from './element.js';
import { makeFaultSwitches, showFaultCounts, showPlan, showSettings } from './faults.js';
import { addRequests, hasFailed, showCounters, showRequests } from './requests.js';

/** More than this is never shown, so no more need wait: in a hidden window nothing is drawn for hours. */
const MOST_WAITING = 200;

/** What was told since the page was last drawn. */
const waiting = { snapshot: undefined, requests: [], customers: [], trunks: new Map(), gateways: undefined, latest: undefined, plan: undefined };
let isDrawAsked = false;
let isFirst = true;

/** Draws at most once per frame, however much is told. */
function draw() {
	if (isDrawAsked) return;
	isDrawAsked = true;
	requestAnimationFrame(() => {
		isDrawAsked = false;
		const { snapshot, requests, customers, trunks, gateways, latest, plan } = waiting;
		Object.assign(waiting, { snapshot: undefined, requests: [], customers: [], trunks: new Map(), gateways: undefined, latest: undefined, plan: undefined });
		if (snapshot) drawSnapshot(snapshot);
		if (plan) showPlan(plan);
		if (requests.length > 0) addRequests(requests);
		if (customers.length > 0) addCustomers(customers);
		if (trunks.size > 0) updateTrunks(trunks.values());
		if (gateways) showGateways(gateways);
		if (latest) {
			showCounters(latest.counters);
			showCustomerCount(latest.customerCount);
			showFaultCounts(latest.counts);
		}
	});
}

function drawSnapshot(snapshot) {
	if (isFirst) makeFaultSwitches(snapshot.faultGroups);
	showBooks(snapshot);
	showRequests(snapshot.requests);
	showCounters(snapshot.counters);
	showSettings(snapshot.settings);
	showPlan(snapshot.plan);
	showFaultCounts(snapshot.counts);
	// what a person needs before there is anything to see
	if (isFirst) byId('credential-details').open = snapshot.counters.requests === 0;
	isFirst = false;
	if (snapshot.undone) say(whatResetDid(snapshot));
}

function whatResetDid({ undone: { requests, customers, premiumCountries }, plan }) {
	const rules = plan.rules?.length ?? 0;
	const faults = rules > 0 || plan.rateLimit ? `the faults of the start are on again` : 'no fault is on';
	return `The sandbox was reset: ${counted(customers, 'customer')}, ${counted(premiumCountries, 'premium country', 'premium countries')} and ${counted(requests, 'request')} are gone, ${faults}. Access tokens stay valid.`;
}

connect({
	snapshot(snapshot) {
		// It has all that was told before.
		Object.assign(waiting, { snapshot, requests: [], customers: [], trunks: new Map(), gateways: undefined, latest: undefined, plan: undefined });
		draw();
	},
	change(change) {
		const { requests = [], customers = [], trunks = [], gateways, plan } = change;
		waiting.requests = [...waiting.requests, ...requests].slice(-MOST_WAITING);
		waiting.customers = [...waiting.customers, ...customers].slice(-MOST_WAITING);
		for (const trunk of trunks) waiting.trunks.set(trunk.id, trunk);
		if (gateways) waiting.gateways = gateways;
		if (plan) waiting.plan = plan;
		waiting.latest = change;
		if (requests.length + customers.length + trunks.length > 0) {
			announce({ requests: requests.length, errors: requests.filter(hasFailed).length, customers: customers.length, trunks: trunks.map(({ id }) => id) });
		}
		draw();
	},
});

// n8n may not find localhost at the address that the sandbox listens on: localhost may be ::1 first
const baseUrl = location.origin.replace('//localhost', '//127.0.0.1');
byId('base-url').textContent = baseUrl;
byId('container-url').textContent = baseUrl.replace('127.0.0.1', 'host.docker.internal');
byId('reset').addEventListener('click', () => ask('POST', 'reset').catch((error) => say(error.message)));
