import { byId, formatCount, element, withClass, renderList, setText } from './dom.js';
import { call } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */

const NO_STATUS = { reset: 'Connection reset', aborted: 'Aborted by the client' };

/** @param {Snapshot} snapshot */
export function renderRequests({ requests, counters: { requests: count, logins, inFlight } }) {
	byId('no-requests').hidden = count > 0;
	const parts = [formatCount(count, 'request'), formatCount(logins, 'login')];
	if (inFlight > 0) parts.push(`${inFlight} in flight`);
	if (count > requests.length + inFlight) parts.push(`latest ${requests.length} shown`);
	setText('request-count', count === 0 ? '' : parts.join(' · '));
	renderList(byId('request-rows'), requests.toReversed(), row);
}

/** @param {Snapshot['requests'][number]} request */
function row({ id, time, method, path, status, milliseconds, fault }) {
	// A fault may break a response that has status 200; "refused" only affects later connections.
	const failed = typeof status !== 'number' || status >= 300 || (fault !== undefined && fault !== 'refused');
	const bodies = withClass('div', 'bodies');
	const result = typeof status === 'number' ? String(status) : NO_STATUS[status];
	const details = element(
		'details',
		{},
		element(
			'summary',
			{},
			element('time', { datetime: time }, new Date(time).toLocaleTimeString('en-GB')),
			` ${method} `,
			element('code', {}, path),
			withClass('span', 'status', ` ${failed ? '✕' : '✓'} ${result}${fault === undefined ? '' : ` fault: ${fault}`}`),
			withClass('span', 'detail', ` ${milliseconds.toFixed(1)} ms`),
		),
		bodies,
	);
	details.addEventListener('toggle', async () => {
		if (!details.open || bodies.childElementCount > 0) return;
		const { error, reply } = await call('GET', `requests/${id}`);
		if (error !== undefined) return bodies.replaceChildren(error);
		bodies.replaceChildren(...block('Request body', reply.requestBody), ...block('Response body', reply.responseBody));
	});
	return withClass('li', failed ? 'failed' : 'done', details);
}

/** A body under its title. @type {(title: string, text: string) => HTMLElement[]} */
const block = (title, text) => [
	element('h3', {}, title),
	element('pre', { tabindex: '0', role: 'group', 'aria-label': title }, text || 'None'),
];
