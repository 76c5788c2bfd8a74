import Table from 'cli-table3';

import type { Gateway } from '../store/types';
import { BROKEN_TRUNK_ID, createSeed, DEMO_CLIENT, READ_ONLY_CLIENT } from '../store/seed';

/** What someone who has just started a sandbox needs to use it, as text for a terminal. */
export function banner(url: string): string {
	return [
		`The sandbox listens on ${url}`,
		'',
		`Watch its requests and turn on faults in a browser: ${url}/ (the API document: ${url}/docs)`,
		'',
		'For a Voice Admin API credential in n8n:',
		credentialTable(url),
		'',
		'It contains:',
		seedTable(),
		`Trunk ${BROKEN_TRUNK_ID} is broken on purpose: setting premium on it gives 500.`,
		'',
		`Records and requests so far: ${url}/_sandbox/state and ${url}/_sandbox/requests`,
		`Start over: curl -X POST ${url}/_sandbox/reset`,
		`Make the next customer fail: curl -X PUT ${url}/_sandbox/faults -d '[{"fault": "http503", "path": "/v1/customers/add", "count": 1}]'`,
		'Stop: Ctrl-C',
		'',
	].join('\n');
}

function credentialTable(url: string): string {
	const table = plainTable(['', 'Full access', 'Read only (403 on every change)']);
	table.push(
		['Production Base URL', url, url],
		['Client ID', DEMO_CLIENT.clientId, READ_ONLY_CLIENT.clientId],
		['API Key (Client Secret)', DEMO_CLIENT.clientSecret, READ_ONLY_CLIENT.clientSecret],
	);
	return table.toString();
}

function seedTable(): string {
	const { organizations, trunks, gateways } = createSeed();
	const ids = (stored: Array<{ id: number | string }>) => stored.map(({ id }) => id).join(', ');
	const table = plainTable(['Organization', 'Trunks', 'Gateways: URI', 'URI null', 'no URI']);
	for (const { id, name } of organizations) {
		const own = <T extends { organizationId: number }>(stored: T[]) => stored.filter(({ organizationId }) => organizationId === id);
		const having = (test: (uri: Gateway['terminationUri']) => boolean) => ids(own(gateways).filter(({ terminationUri }) => test(terminationUri)));
		const columns = [having((uri) => typeof uri === 'string'), having((uri) => uri === null), having((uri) => uri === undefined)];
		table.push([`${id}  ${name}`, ids(own(trunks)), ...columns]);
	}
	return table.toString();
}

/** Without colors, so that it reads the same in a file. */
function plainTable(head: string[]) {
	return new Table({ head, style: { head: [], border: [] } });
}
