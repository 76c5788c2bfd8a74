import { type Sandbox, startSandbox } from '../../../sandbox';
import { faultsNotInjected } from '../faults';
import { credentialFor } from './credentialStore';
import { execute, type Execution, type Result } from './execute';

/** Ports of the sandboxes that this process has had. */
const taken = new Set<number>();

/** Starts a sandbox at an address that none before it had: the node may still have a token for such an address. */
async function startNewSandbox(): Promise<Sandbox> {
	const sandbox = await startSandbox();
	if (taken.has(sandbox.port)) {
		await sandbox.close();
		return await startNewSandbox();
	}
	taken.add(sandbox.port);
	return sandbox;
}

/**
 * Gives each test of a file a sandbox of its own, and expects that each fault that the test has set was injected.
 * @returns runs the node with a credential for the sandbox
 */
export function sandboxOfEachTest(give: (sandbox: Sandbox) => void): (execution: Omit<Execution, 'credential'>) => Promise<Result> {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startNewSandbox();
		give(sandbox);
	});
	afterEach(async () => {
		await sandbox.close();
		expect(faultsNotInjected(sandbox)).toEqual([]);
	});
	return async (execution) => await execute({ ...execution, credential: credentialFor(sandbox.url) });
}
