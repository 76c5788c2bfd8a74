import { HELP, parseCliArguments } from './arguments';
import { BROKEN_TRUNK_ID, DEMO_CLIENT, READ_ONLY_CLIENT, startSandbox } from './index';

/** What someone who has just started a sandbox needs to use it. */
const banner = (url: string) => `The sandbox listens on ${url}

Watch its requests and turn on faults in a browser: ${url}/ (the API document: ${url}/docs)

For a Voice Admin API credential in n8n:
  Production Base URL      ${url}
  Client ID                ${DEMO_CLIENT.clientId}
  API Key (Client Secret)  ${DEMO_CLIENT.clientSecret}
Read only, for a 403 on every change: ${READ_ONLY_CLIENT.clientId} with ${READ_ONLY_CLIENT.clientSecret}

It contains:
  Organization 10, Milano Telefonia: trunks 1001 to 1004, gateways 1 to 4
  Organization 20, Torino Voce: trunks 1005 to 1008, gateways 5 to 8
  Organization 30, Palermo Reti: trunks 1009 to 1012, gateways 9 to 12
Gateways 2, 6 and 10 have no termination URI; that of 3, 7 and 11 is null.
Trunk ${BROKEN_TRUNK_ID} is broken on purpose: setting premium on it gives 500.

Records and requests so far: ${url}/_sandbox/state and ${url}/_sandbox/requests
Start over: curl -X POST ${url}/_sandbox/reset
Make the next customer fail: curl -X PUT ${url}/_sandbox/faults -d '[{"fault": "http503", "path": "/v1/customers/add", "count": 1}]'
Stop: Ctrl-C
`;

/** Exit codes: 0 after Ctrl-C or --help, 1 if the sandbox cannot start, 2 if the command line has a mistake. */
async function main(): Promise<void> {
	let options;
	try {
		options = parseCliArguments(process.argv.slice(2));
	} catch (error) {
		process.exitCode = 2;
		console.error(`${(error as Error).message}\nSee --help.`);
		return;
	}
	if (!options) return void process.stdout.write(HELP);
	const sandbox = await startSandbox({ ...options, log: (line) => console.log(line) });
	const stop = () => {
		console.log('\nThe sandbox has stopped.');
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	console.log(banner(sandbox.url));
}

main().catch((error: NodeJS.ErrnoException) => {
	process.exitCode = 1;
	console.error(error.message);
});
