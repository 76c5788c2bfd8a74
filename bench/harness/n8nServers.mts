import path from 'node:path';
import { anyFreePort } from '../../scripts/servers/ports.mts';
import { type Content, importInto } from '../../scripts/n8n/cli.mts';
import { type N8n, n8nLike } from '../../scripts/n8n/home.mts';
import { startQueueMode } from '../../scripts/n8n/queueMode.mts';
import { type Server, serveEditor } from '../../scripts/n8n/server.mts';
import type { Scenario } from '../scenarios.mts';

export type RunningServer = Pick<Server, 'url' | 'owner' | 'stop'>;

/**
 * Starts an n8n server: on n8n's SQLite, or in queue mode.
 * @param n8n whose packages it has
 * @param folder for all that it writes
 */
export async function startServer(n8n: N8n, folder: string, content: Content, { workers }: Scenario['server'] = {}): Promise<RunningServer> {
	const name = `n8n_voice_admin_bench_${n8n.version.replaceAll('.', '_')}`;
	if (workers) return await startQueueMode({ n8n, folder, name, content, workers, log: 'bench' });
	const main = await n8nLike(n8n, path.join(folder, 'main'));
	await importInto(main, content);
	const port = await anyFreePort();
	const server = await serveEditor(main, { port, log: 'bench-main' });
	return { url: `http://127.0.0.1:${port}`, owner: server.owner, stop: server.stop };
}
