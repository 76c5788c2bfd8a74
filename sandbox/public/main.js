import { byId, formatCount } from './dom.js';
import { renderFaults } from './faults.js';
import { renderRecords } from './records.js';
import { renderRequests } from './requests.js';
import { change, connect, say } from './sandbox.js';

/** What a reset deletes. */
let content = '';

void connect((snapshot) => {
	content = `${formatCount(snapshot.counters.requests, 'request')} and ${formatCount(snapshot.customerCount, 'customer')}`;
	renderRequests(snapshot);
	renderFaults(snapshot);
	renderRecords(snapshot);
});

// localhost may resolve to ::1 in n8n, where the sandbox doesn't listen
const baseUrl = location.origin.replace('//localhost', '//127.0.0.1');
byId('base-url').textContent = baseUrl;
byId('container-url').textContent = baseUrl.replace('127.0.0.1', 'host.docker.internal');

for (const button of document.querySelectorAll('dd button'))
	button.addEventListener('click', async () => {
		const value = /** @type {Element} */ (button.previousElementSibling);
		try {
			await navigator.clipboard.writeText(value.textContent ?? '');
			say(`Copied ${button.ariaLabel?.replace('Copy ', '')}.`);
		} catch {
			// without HTTPS, browsers allow the clipboard only on localhost
			getSelection()?.selectAllChildren(value);
			say('Press Ctrl+C to copy the selected text.');
		}
	});

byId('reset').addEventListener('click', () => {
	const deleted = content;
	const question = `Reset the sandbox? This deletes ${deleted}, and restores trunks, gateways and faults. Access tokens stay valid.`;
	if (confirm(question)) void change(`The sandbox was reset: ${deleted} deleted.`, 'POST', 'reset');
});
