import { byId, counted } from './dom.js';
import { renderFaults } from './faults.js';
import { renderGateways } from './gateways.js';
import { renderRecords } from './records.js';
import { renderRequests } from './requests.js';
import { change, connect, say } from './sandbox.js';
/** @import { Snapshot } from './types' */

/** @type {Snapshot} */
let latest;

void connect((snapshot) => {
	latest = snapshot;
	renderRequests(snapshot);
	renderFaults(snapshot);
	renderRecords(snapshot);
	renderGateways(snapshot);
});

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

byId('reset').addEventListener('click', () => {
	const what = `${counted(latest.counters.requests, 'request')} and ${counted(latest.customerCount, 'customer')}`;
	if (!confirm(`Reset the sandbox? This deletes ${what}, and restores trunks, gateways and faults. Access tokens stay valid.`)) return;
	void change(`The sandbox was reset: ${what} deleted.`, 'POST', 'reset');
});
