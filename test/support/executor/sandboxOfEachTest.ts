import type { Sandbox } from '../../../sandbox';
import { faultsNotInjected } from '../faults';
import { startNewSandbox } from '../startNewSandbox';
import { credentialFor } from './credentialStore';
import { execute, type Execution, type Result } from './execute';

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
