import { getById } from './dom.js';
import { renderFaults } from './faults.js';
import { renderRecords } from './records.js';
import { renderRequests } from './requests.js';
import { callAndReport, connect } from './sandbox.js';

void connect((snapshot) => {
	renderRequests(snapshot);
	renderFaults(snapshot);
	renderRecords(snapshot);
});

// localhost may resolve to ::1 in n8n, where the sandbox doesn't listen
getById('base-url').textContent = location.origin.replace('//localhost', '//127.0.0.1');

getById('reset').addEventListener('click', () => {
	const question = 'Reset the sandbox? This deletes requests and customers, and restores trunks, gateways and faults.';
	if (confirm(question)) void callAndReport('The sandbox was reset.', 'POST', 'reset');
});
