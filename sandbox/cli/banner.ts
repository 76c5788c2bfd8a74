import type { Gateway } from '../store/types';
import { BROKEN_TRUNK_ID, createSeed, DEMO_CLIENT, READ_ONLY_CLIENT } from '../store/seed';

/** What someone who has just started a sandbox needs to use it, as text for a terminal. */
export const banner = (url: string): string => `The sandbox listens on ${url}

Watch its requests and turn on faults in a browser: ${url}/ (the API document: ${url}/docs)

For a Voice Admin API credential in n8n:
  Production Base URL      ${url}
  Client ID                ${DEMO_CLIENT.clientId}
  API Key (Client Secret)  ${DEMO_CLIENT.clientSecret}
Read only, for a 403 on every change: ${READ_ONLY_CLIENT.clientId} with ${READ_ONLY_CLIENT.clientSecret}

It contains:
${seedLines().join('\n')}
Trunk ${BROKEN_TRUNK_ID} is broken on purpose: setting premium on it gives 500.

Records and requests so far: ${url}/_sandbox/state and ${url}/_sandbox/requests
Start over: curl -X POST ${url}/_sandbox/reset
Make the next customer fail: curl -X PUT ${url}/_sandbox/faults -d '[{"fault": "http503", "path": "/v1/customers/add", "count": 1}]'
Stop: Ctrl-C
`;

function seedLines(): string[] {
	const { organizations, trunks, gateways } = createSeed();
	const ids = (stored: Array<{ id: number | string }>) => stored.map(({ id }) => id).join(', ');
	return organizations.flatMap(({ id, name }) => {
		const own = <T extends { organizationId: number }>(stored: T[]) => stored.filter(({ organizationId }) => organizationId === id);
		const having = (test: (uri: Gateway['terminationUri']) => boolean) => ids(own(gateways).filter(({ terminationUri }) => test(terminationUri)));
		return [
			`  Organization ${id}, ${name}: trunks ${ids(own(trunks))}`,
			`    gateways ${having((uri) => typeof uri === 'string')}; with the termination URI null ${having((uri) => uri === null)}, without one ${having((uri) => uri === undefined)}`,
		];
	});
}
