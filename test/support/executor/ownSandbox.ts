import { type FaultRule, type Sandbox, startSandbox } from '../../../sandbox';
import { faultsNotInjected } from '../faults';

/** Ports of the sandboxes that this process has had. */
const taken = new Set<number>();

/** Starts a sandbox at an address that none before it had: the node may still have a token for such an address. */
export async function startNewSandbox(): Promise<Sandbox> {
	const sandbox = await startSandbox();
	if (taken.has(sandbox.port)) {
		await sandbox.close();
		return await startNewSandbox();
	}
	taken.add(sandbox.port);
	return sandbox;
}

/**
 * Gives a test that runs beside others (`test.concurrent`) a sandbox of its own, with so many gateways, and faults each of
 * which is expected to be injected.
 */
export async function withSandbox(
	rules: FaultRule[],
	work: (sandbox: Sandbox) => Promise<void>,
	gateways = 0,
): Promise<void> {
	const sandbox = await startNewSandbox();
	try {
		for (let n = 0; n < gateways; n += 1)
			sandbox.putGateway({ id: `g${n}`, name: `Gateway ${n}`, type: 'pbx', organizationId: 10 });
		sandbox.setFaults(rules);
		await work(sandbox);
		expect(faultsNotInjected(sandbox)).toEqual([]);
	} finally {
		await sandbox.close();
	}
}
