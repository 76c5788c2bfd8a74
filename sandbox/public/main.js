import { byId, counted } from './dom.js';
import { renderFaults } from './faults.js';
import { renderRecords } from './records.js';
import { renderRequests } from './requests.js';
import { change, connect, say } from './sandbox.js';

/** What a reset deletes. */
let content = '';

void connect((snapshot) => {
	content = `${counted(snapshot.counters.requests, 'request')} and ${counted(snapshot.customerCount, 'customer')}`;
	renderRequests(snapshot);
	renderFaults(snapshot);
	renderRecords(snapshot);
});

// n8n may not find localhost at the address that the sandbox listens on: localhost may be ::1 first
const baseUrl = location.origin.replace('//localhost', '//127.0.0.1');
byId('base-url').textContent = baseUrl;
byId('container-url').textContent = baseUrl.replace('127.0.0.1', 'host.docker.internal');

for (const button of document.querySelectorAll('dd button')) button.addEventListener('click', async () => {
	const value = /** @type {Element} */ (button.previousElementSibling);
	try {
		await navigator.clipboard.writeText(value.textContent ?? '');
		say(`Copied ${button.ariaLabel?.replace('Copy ', '')}.`);
	} catch {
		// at a plain http address of another machine the browser gives no clipboard
		getSelection()?.selectAllChildren(value);
		say('Press Ctrl+C to copy the selected text.');
	}
});

byId('reset').addEventListener('click', () => {
	const deleted = content;
	const question = `Reset the sandbox? This deletes ${deleted}, and restores trunks, gateways and faults. Access tokens stay valid.`;
	if (confirm(question)) void change(`The sandbox was reset: ${deleted} deleted.`, 'POST', 'reset');
});
