const { loadOnce, afterAll } = /** @type {any} */ (globalThis);

module.exports = loadOnce('n8n-core');

// n8n-core starts a clean-up timer for SSH with the first execution, which would keep jest from ending.
afterAll(() => {
	const { Container } = loadOnce('@n8n/di');
	const { SSHClientsManager } = loadOnce('n8n-core/dist/execution-engine/ssh-clients-manager');
	Container.get(SSHClientsManager).onShutdown();
});
