import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodesFolder } from '../../scripts/n8n/home.mjs';
import { importInto } from '../../scripts/n8n/import.mjs';
import { loadPackage } from '../../scripts/n8n/load-package.mjs';
import { PEERS } from '../peers/index.mjs';
import { CREDENTIAL_TYPES, credential, warmCredential } from './credentials.mjs';
import { workflowFor } from './workflow.mjs';

/** Packages that stand beside this project's in n8n. */
const PACKAGES = ['../peers/n8n-nodes-bench-plain', '../peers/n8n-nodes-bench-floor', './n8n-nodes-bench-track'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));

/** Sends one request with each type of credential, after which n8n has a token stored in that of the plain node. */
const WARM_UP = { title: 'Warming up the credentials', operation: 'get', items: 1, latency: 0, credential: 'warm' };

/**
 * Makes an n8n that has all peers loaded, and the workflows and credentials of every run.
 * @param {import('../../scripts/n8n/home.mjs').N8n} n8n
 * @param {import('../plan.mjs').Run[]} runs those in n8n
 * @param {{ url: string, token: string }} service token: an access token that it takes
 */
export async function prepareN8n(n8n, runs, { url, token }) {
	await rm(n8n.home, { recursive: true, force: true });
	await loadPackage(n8n);
	// Copies: from a link Node would look for n8n-workflow in the clone instead of in n8n.
	for (const folder of PACKAGES) await cp(folder, path.join(nodesFolder(n8n), 'node_modules', path.basename(folder)), { recursive: true });
	const workflows = new Map(runs.map((run) => [run.workflow, workflowFor(run.workflow, run.scenario, run.entry, { url, token, credential: run.credential })]));
	const cold = runs.filter(({ scenario }) => scenario.credential === 'cold');
	await importInto(n8n, {
		credentials: [
			...CREDENTIAL_TYPES.map((type) => credential(warmCredential(type), type, url)),
			...cold.map((run) => credential(run.credential, PEERS[run.entry.peer].credentialType, url)),
		],
		workflow: [...warmUps({ url, token }), ...workflows.values()],
	});
}

const warmUps = (service) =>
	warmUpPeers().map(({ id, peer, type }) => workflowFor(id, WARM_UP, { id, name: peer, peer }, { ...service, credential: warmCredential(type) }));

/** For each type of credential the first peer that uses it, and the id of its workflow. */
export function warmUpPeers() {
	return CREDENTIAL_TYPES.map((type) => ({ id: `warm-up-${type}`, type, peer: Object.keys(PEERS).find((peer) => PEERS[peer].credentialType === type) }));
}
