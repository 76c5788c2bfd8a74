import { byId, counted } from './dom.js';
import { renderFaults } from './faults.js';
import './gateways.js';
import { renderRecords } from './records.js';
import { hasFailed, renderRequests } from './requests.js';
import { change, connect, say } from './sandbox.js';
/** @import { Snapshot } from './types' */

/** News are read out together: one by one, 100 requests would go on for minutes. */
const NEWS_EVERY_MS = 3000;

/** @type {Snapshot} */
let latest;
/** What the news were about last. @type {Snapshot} */
let announced;

connect((snapshot) => {
	latest = snapshot;
	announced ??= snapshot;
	renderRequests(snapshot);
	renderFaults(snapshot);
	renderRecords(snapshot);
});

/** Tells screen readers what has changed since they were told last. */
setInterval(() => {
	if (announced === latest) return;
	const before = announced;
	announced = latest;
	const requests = latest.counters.requests - before.counters.requests;
	const customers = latest.customerCount - before.customerCount;
	const failed = latest.requests.filter((request) => hasFailed(request) && !before.requests.some(({ id }) => id === request.id)).length;
	const trunks = latest.trunks.filter((trunk, index) => trunk.premiumCount !== before.trunks[index]?.premiumCount);
	const news = requests < 0 ? 'The sandbox was reset.' : [
		requests > 0 && `${counted(requests, 'new request')}${failed > 0 ? `, ${failed} failed` : ''}.`,
		customers > 0 && `${counted(customers, 'new customer')}.`,
		trunks.length > 0 && `Premium countries changed on trunk ${trunks.map(({ id }) => id).join(', ')}.`,
	].filter(Boolean).join(' ');
	if (news !== '') byId('news').textContent = news;
}, NEWS_EVERY_MS);

// n8n may not find localhost at the address that the sandbox listens on: localhost may be ::1 first
const baseUrl = location.origin.replace('//localhost', '//127.0.0.1');
byId('base-url').textContent = baseUrl;
byId('container-url').textContent = baseUrl.replace('127.0.0.1', 'host.docker.internal');

for (const button of document.querySelectorAll('dd button')) button.addEventListener('click', async () => {
	const value = /** @type {Element} */ (button.previousElementSibling);
	try {
		await navigator.clipboard.writeText(value.textContent ?? '');
		say(`Copied ${button.textContent?.replace('Copy ', '')}.`);
	} catch {
		// at a plain http address of another machine the browser gives no clipboard
		getSelection()?.selectAllChildren(value);
		say('Press Ctrl+C to copy the selected text.');
	}
});

function whatIsThere() {
	const premium = latest.trunks.reduce((sum, { premiumCount }) => sum + premiumCount, 0);
	return `${counted(latest.counters.requests, 'request')}, ${counted(latest.customerCount, 'customer')} and ${counted(premium, 'premium country', 'premium countries')}`;
}
byId('reset').addEventListener('click', () => {
	byId('reset-what').textContent = `This deletes ${whatIsThere()}, and restores the gateways and faults to their initial state. Access tokens stay valid.`;
	byId('reset-dialog', HTMLDialogElement).showModal();
});
byId('confirm-reset').addEventListener('click', () => change(`The sandbox was reset: ${whatIsThere()} deleted.`, 'POST', 'reset'));
