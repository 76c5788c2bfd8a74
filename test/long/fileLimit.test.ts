import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

import { LoggerProxy } from 'n8n-workflow';

import type { SandboxState } from '../../sandbox';
import { run as runSandbox } from '../sandbox/runCli';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, numbered } from '../support/operations';

const CUSTOMERS = 400;

/** The files that this process may still open, its sockets among them. */
const FREE = 10;

/** Sets how many files this process may have open. */
const limitFiles = (limit: number | string) => void execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${limit}:`]);

/** Opens files until so many are left. @returns what closes them */
function leaveFree(count: number): () => void {
	const open: number[] = [];
	try {
		for (;;) open.push(openSync('/dev/null', 'r'));
	} catch {
		for (const file of open.splice(0, count)) closeSync(file);
	}
	return () => open.forEach((file) => closeSync(file));
}

test('customers whose requests find too many files open are sent again, and none that was not sent is said to exist perhaps', async () => {
	// A process of its own, with files of its own.
	const service = runSandbox('--port', '0', '--latency', '500');
	const [, url] = await service.shows(/listens on (\S+)/);
	const credential = credentialFor(url!);
	// So that the limiter lets many requests be in flight.
	await execute({ items: numbered(1_000), parameters: getGateway('1'), credential });
	const notOpened = jest.spyOn(LoggerProxy, 'debug');
	const softLimit = ['--pid', String(process.pid), '--nofile', '--noheadings', '--output', 'SOFT'];
	const before = execFileSync('prlimit', softLimit, { encoding: 'utf8' }).trim();
	limitFiles(1_000);
	const close = leaveFree(FREE);
	const { error, output } = await execute({
		items: numbered(CUSTOMERS),
		parameters: addCustomer('={{ "C" + $json.n }}', { options: { maxConcurrency: 400, maxRetries: 10 } }),
		credential,
		settings: { onError: 'continueRegularOutput' },
	});
	close();
	limitFiles(before);
	const { customers } = (await (await fetch(`${url}/_sandbox/state`)).json()) as SandboxState;
	const created = customers.map(({ vatNumber }) => vatNumber).sort();
	service.stop('SIGTERM');
	await service.ended;
	expect(error).toBeUndefined();
	expect(notOpened.mock.calls.filter(([line]) => line.includes('(connection_failed)')).length).toBeGreaterThan(FREE);
	expect(output.filter(({ json }) => json.error)).toEqual([]);
	expect(created).toEqual(numbered(CUSTOMERS).map(({ n }) => `C${n}`).sort());
});
