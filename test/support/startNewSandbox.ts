import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';

/** Ports of the sandboxes that this process has had. */
const taken = new Set<number>();

/** Starts a sandbox at an address that none before it had: the node may still have a token for such an address. */
export async function startNewSandbox(options?: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	if (!taken.has(sandbox.port)) {
		taken.add(sandbox.port);
		return sandbox;
	}
	await sandbox.close();
	return await startNewSandbox(options);
}
