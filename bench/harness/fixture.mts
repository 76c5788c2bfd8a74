import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type N8n, nodesFolder } from '../../scripts/n8n/home.mts';
import { importInto } from '../../scripts/n8n/cli.mts';
import { loadPackage } from '../../scripts/n8n/loadPackage.mts';
import { runEnvironment } from '../../scripts/bootstrap/environment.mjs';
import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import { step } from '../../scripts/bootstrap/progress.mjs';
import { startLogged } from '../../scripts/bootstrap/processes.mjs';
import { waitUntil } from '../../scripts/servers/waiting.mts';
import { type Run, warmUp } from '../plan.mts';
import type { Counters } from '../results.mts';
import type { Scenario } from '../scenarios.mts';
import { startExecution } from './execute.mts';
import { contentOf, type Service } from './workflows.mts';

const fileOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const PACKAGE = fileOf('../n8n-nodes-bench-harness');
const READY_WITHIN_MS = 30_000;

/** begin: sets the conditions of a scenario, and counts from zero */
export interface MeasuringService extends Service {
	begin: (conditions: Pick<Scenario, 'latency' | 'perSecond'>) => Promise<void>;
	counters: () => Promise<Counters>;
}

/** All that a run needs. turns: answers a process whose turn it is, see execute.mts */
export type Fixture = { n8n: N8n; service: MeasuringService; turns: http.Server };

/** Starts the service, and makes an n8n that has all contenders loaded, the workflows of the runs by `n8n execute`, and warm credentials. */
export async function makeFixture(n8n: N8n, runs: Run[]): Promise<Fixture> {
	const service = await startService(n8n.node.bin);
	const turns = http.createServer((request, reply) => void turns.emit(request.url ?? '', reply));
	await once(turns.listen(0, '127.0.0.1'), 'listening');
	await step('Loading the nodes and the workflows into n8n', async (report) => {
		await rm(n8n.home, { recursive: true, force: true });
		await loadPackage(n8n);
		// A copy: from a link Node would look for n8n-workflow in the clone instead of in n8n.
		await cp(PACKAGE, path.join(nodesFolder(n8n), 'node_modules', path.basename(PACKAGE)), { recursive: true });
		// One for each type of credential.
		const warmUps = [warmUp('voiceAdmin'), warmUp('plain')];
		await importInto(n8n, contentOf([...warmUps, ...runs.filter(({ scenario }) => !scenario.server)], service));
		report('storing a token in the warm credentials');
		await service.begin({ latency: 0 });
		for (const run of warmUps) await (await startExecution(n8n, run, turns)).go();
	});
	return { n8n, service, turns };
}

/** Starts the service that all are measured against, in a process of its own. */
async function startService(node: string): Promise<MeasuringService> {
	const server = startLogged(node, ['--import', 'tsx', fileOf('../processes/service.mts')], { log: 'bench-service', cwd: ROOT, env: runEnvironment() });
	const firstLine = async () => /^.*\n/.exec(server.output())?.[0];
	const started = await waitUntil(firstLine, { what: 'The service to measure against', process: server, withinMs: READY_WITHIN_MS });
	const { url, control } = JSON.parse(started ?? '') as { url: string; control: string };
	const login = await fetch(`${url}/auth/api-key/login`, { method: 'POST' });
	return {
		url,
		token: ((await login.json()) as { access_token: string }).access_token,
		begin: async ({ latency, perSecond }) => void (await fetch(control, { method: 'PUT', body: JSON.stringify({ latency, perSecond }) })),
		counters: async () => (await (await fetch(control)).json()) as Counters,
	};
}
