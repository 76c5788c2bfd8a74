import { byId, formatCount } from './dom.js';
import { renderFaults } from './faults.js';
import { renderRecords } from './records.js';
import { renderRequests } from './requests.js';
import { change, connect } from './sandbox.js';

/** What a reset deletes. */
let content = '';

void connect((snapshot) => {
	content = `${formatCount(snapshot.counters.requests, 'request')} and ${formatCount(snapshot.customerCount, 'customer')}`;
	renderRequests(snapshot);
	renderFaults(snapshot);
	renderRecords(snapshot);
});

// localhost may resolve to ::1 in n8n, where the sandbox doesn't listen
byId('base-url').textContent = location.origin.replace('//localhost', '//127.0.0.1');

byId('reset').addEventListener('click', () => {
	const question = `Reset the sandbox? This deletes ${content}, and restores trunks, gateways and faults. Access tokens stay valid.`;
	if (confirm(question)) void change('The sandbox was reset.', 'POST', 'reset');
});
