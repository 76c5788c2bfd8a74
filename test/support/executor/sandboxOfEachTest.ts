import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { faultsNotInjected } from '../faults';

/** Gives each test of a file a sandbox of its own, and expects that each fault that the test has set was injected. */
export function sandboxOfEachTest(give: (sandbox: Sandbox) => void, options: SandboxOptions = {}): void {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox(options);
		give(sandbox);
	});
	afterEach(async () => {
		await sandbox.close();
		expect(faultsNotInjected(sandbox)).toEqual([]);
	});
}
