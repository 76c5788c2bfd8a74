import type { Sandbox } from '../../../sandbox';
import { faultsNotInjected } from '../faults';
import { credentialFor } from './credentialStore';
import { execute, type Execution, type Result } from './execute';
import { startNewSandbox } from './ownSandbox';

/** Of a test whose file imports this, its own. Each fault that the test has set is expected to be injected. */
export let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startNewSandbox();
});

afterEach(async () => {
	await sandbox.close();
	expect(faultsNotInjected(sandbox)).toEqual([]);
});

/** Runs the node with a credential for the sandbox. */
export async function run(execution: Omit<Execution, 'credential'>): Promise<Result> {
	return await execute({ ...execution, credential: credentialFor(sandbox.url) });
}
