/** n8n's Loop Over Items node. */
export const LOOP = 'Loop';

/**
 * Has the measured node run once for each batch of the items, and the finish line once for all.
 * @param {ReturnType<typeof import('../../scripts/n8n/workflow.mjs').chain>} workflow whose last two nodes these are
 * @param {number} batchSize
 */
export function inLoop({ nodes, connections, ...workflow }, batchSize) {
	const [before, measured, after] = nodes.slice(-3).map(({ name }) => name);
	const to = (name) => [{ node: name, type: 'main', index: 0 }];
	const loop = { id: 'loop', position: [0, 200], name: LOOP, type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { batchSize, options: {} } };
	return {
		...workflow,
		nodes: [...nodes, loop],
		connections: { ...connections, [before]: { main: [to(LOOP)] }, [LOOP]: { main: [to(after), to(measured)] }, [measured]: { main: [to(LOOP)] } },
	};
}
