import { startService } from './service/process.mjs';
import { toTheStart } from './track/measure.mjs';
import { prepareN8n, warmUpPeers } from './track/prepare.mjs';
import { openTrack } from './track/starter.mjs';
import { step } from '../scripts/setup/progress.mjs';

/**
 * All that a run needs: the service, n8n with the peers, credentials in which a token is stored.
 * @param {import('../scripts/n8n/home.mjs').N8n} n8n
 * @param {import('./plan.mjs').Run[]} runs
 */
export async function makeWorld(n8n, runs) {
	const service = await startService(n8n.node.bin);
	const track = await openTrack();
	await step('Loading the nodes and the workflows into n8n', async (report) => {
		await prepareN8n(n8n, runs.filter(({ scenario, entry }) => entry.peer && !scenario.server), service);
		report('storing a token in the warm credentials');
		await service.begin({ latency: 0, perSecond: 0 });
		for (const { id } of warmUpPeers()) await (await toTheStart(n8n, { workflow: id }, track)).go();
	});
	return { n8n, service, track };
}
