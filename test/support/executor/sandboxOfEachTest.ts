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
