import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type Sandbox, startSandbox } from '../../sandbox';
import { credentialFor } from '../support/credentialStore';
import { execute } from '../support/execute';
import { addCustomer, getGateway, numbered } from '../support/operations';
import { printTable } from '../support/printTable';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use on the heap after a collection. */
async function heap(): Promise<number> {
	// A tick in between lets finished promises and closed sockets go.
	for (let i = 0; i < 3; i++) {
		collectGarbage();
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return process.memoryUsage().heapUsed;
}

const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(1));
const rows: Array<Record<string, string | number>> = [];
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => {
	await sandbox.close();
	printTable('Memory after a garbage collection, the items of the run still held', rows);
});

/** What a run of so many items holds on to while its result is held. */
async function held(items: number): Promise<number> {
	sandbox.reset();
	const before = await heap();
	const result = await execute({
		items: numbered(items),
		parameters: getGateway('={{ $json.n % 12 + 1 }}'),
		credential: credentialFor(sandbox.url),
	});
	expect(result.output).toHaveLength(items);
	const after = await heap();
	rows.push({ items, 'MB held': megabytes(after - before), 'KB per item': Number(((after - before) / items / 1024).toFixed(2)) });
	// Keeps the result alive up to here.
	expect(result.run).toBeDefined();
	return after - before;
}

test('what 10,000 items hold grows linearly with the items', async () => {
	await held(1_000);
	const small = await held(2_000);
	const large = await held(10_000);
	expect(large / small).toBeLessThan(5 * 1.5);
}, 400_000);

test('after ten runs the process is back where it was: no session, create or pace stays', async () => {
	const run = async () => {
		await execute({
			items: numbered(1_000),
			parameters: addCustomer('={{ "C" + $json.n }}', { otherFields: { text: 'x'.repeat(1_000) } as never }),
			credential: credentialFor(sandbox.url),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		});
		sandbox.reset();
	};
	// The first runs fill caches of the engine and of the HTTP client.
	for (let i = 0; i < 3; i++) await run();
	const before = await heap();
	for (let i = 0; i < 10; i++) await run();
	const grown = (await heap()) - before;
	rows.push({ items: '10 runs of 1,000 creates', 'MB held': megabytes(grown), 'KB per item': Number((grown / 10_000 / 1024).toFixed(2)) });
	// Ten runs send 10 MB of bodies and give 10,000 items; a tenth of one run is no leak.
	expect(megabytes(grown)).toBeLessThan(3);
}, 400_000);
