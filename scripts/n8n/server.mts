import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../bootstrap/failure.mjs';
import type { RunningProcess } from '../bootstrap/processes.mjs';
import { isResponding, RESPONSE_TIMEOUT_MS, waitUntil } from '../servers/readiness.mts';
import { startN8n } from './cli.mts';
import type { N8nInstance } from './home.mts';

/** An account of n8n. */
type Owner = Record<'email' | 'password' | 'firstName' | 'lastName', string>;

/** url: of the editor, without a trailing slash; owner: who can sign in. */
interface Account {
	url: string;
	owner: Owner;
}

/** A running n8n. */
export interface Server extends RunningProcess, Account {}

const READY_WITHIN_MS = 120_000;
const PUBLISHED_WITHIN_MS = 60_000;

/**
 * browser-id: n8n ties the session to it. connection: n8n closes idle connections after 5 seconds, possibly while the next call
 * is being sent.
 */
const SESSION_HEADERS = { 'content-type': 'application/json', 'browser-id': 'n8n-voice-admin', connection: 'close' };

/** Starts n8n's server and waits until its editor can be used. @param options log: the log file's name */
export async function startServer(n8n: N8nInstance, { port, log = 'n8n' }: { port: number; log?: string }) {
	// Not localhost, which may resolve to ::1, where n8n doesn't listen.
	const localUrl = `http://127.0.0.1:${port}`;
	const server = await startN8n(n8n, ['start'], { log, settings: { N8N_PORT: String(port) } });
	// The REST API works only a little after the readiness check; before, it returns the editor's page.
	const isReady = async () =>
		(await isResponding(`${localUrl}/healthz/readiness`)) && (await isResponding(`${localUrl}/rest/settings`));
	await waitUntil(isReady, { name: 'n8n', process: server, withinMs: READY_WITHIN_MS });
	const ownerFile = path.join(n8n.home, 'owner.json');
	// Written first: if this process ends in between, the next start sets up the same owner.
	if (!existsSync(ownerFile)) writeFileSync(ownerFile, JSON.stringify(createOwner()), { mode: 0o600 });
	const owner = JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
	await send(localUrl, 'POST', '/owner/setup', owner).catch(async (error: Error) => {
		if (error.message.includes('already setup')) return;
		await server.stop();
		throw error;
	});
	return { ...server, url: `http://localhost:${port}`, owner };
}

/**
 * The owner account of a new n8n, with a random password: n8n listens on this machine only, but a website can reach it by DNS
 * rebinding, and an owner can install packages.
 */
const createOwner = (): Owner => ({
	email: 'demo@voice-admin.example',
	// n8n requires a digit and a capital letter.
	password: `A1-${randomBytes(15).toString('base64url')}`,
	firstName: 'Voice Admin',
	lastName: 'Demo',
});

/** Sends a request to n8n's REST API in a session. @returns the `data` of the response @throws {Failure} for an error status */
export type Rest = <T>(method: string, path: string, body?: object) => Promise<T>;

async function send(url: string, method: string, apiPath: string, body?: object, cookie = ''): Promise<Response> {
	const response = await fetch(`${url}/rest${apiPath}`, {
		method,
		headers: { ...SESSION_HEADERS, cookie },
		...(body && { body: JSON.stringify(body) }),
	});
	if (response.ok) return response;
	const text = (await response.text()).slice(0, 500);
	throw new Failure(`n8n answered ${method} ${apiPath} with ${response.status}: ${text}`);
}

/**
 * Signs in to a running n8n, which allows only a few sign-ins per minute.
 * @returns the session cookie
 * @throws {Failure} with the status, if n8n rejects it
 */
export async function fetchCookie({ url, owner }: Account): Promise<string> {
	const login = await send(url, 'POST', '/login', { emailOrLdapLoginId: owner.email, password: owner.password });
	return login.headers
		.getSetCookie()
		.map((text) => text.split(';')[0])
		.join('; ');
}

/** n8n's REST API in a session. */
export const createRest =
	(url: string, cookie: string): Rest =>
	async <T,>(method: string, apiPath: string, body?: object) =>
		((await (await send(url, method, apiPath, body, cookie)).json()) as { data: T }).data;

/** Signs in like {@link fetchCookie}, and returns the REST API in that session. */
export const signIn = async (server: Account): Promise<Rest> => createRest(server.url, await fetchCookie(server));

/** The part of n8n's workflow that is used here. */
interface StoredWorkflow {
	versionId: string;
	nodes: Array<{ type: string; parameters: { path?: string; options?: { path?: string } } }>;
}

/**
 * Publishes or unpublishes a workflow. Waits until its webhooks, forms and MCP triggers accept calls: from n8n 2.41 on, and in
 * queue mode, that is a little after n8n's response.
 */
export async function publishWorkflow({ url, rest }: { url: string; rest: Rest }, id: string, isPublished = true) {
	const { versionId, nodes } = await rest<StoredWorkflow>('GET', `/workflows/${id}`);
	await rest('POST', `/workflows/${id}/${isPublished ? 'activate' : 'deactivate'}`, { versionId });
	if (!isPublished) return;
	for (const path of nodes.flatMap(triggerPathsOf)) {
		for (const deadline = Date.now() + PUBLISHED_WITHIN_MS; !(await acceptsPosts(url + path)); await sleep(50)) {
			if (Date.now() > deadline)
				throw new Failure(`n8n has published the workflow ${id}, but doesn't accept calls of ${path}.`);
		}
	}
}

/** The path on which a trigger node accepts calls. */
function triggerPathsOf({ type, parameters: { path, options } }: StoredWorkflow['nodes'][number]): string[] {
	if (type === 'n8n-nodes-base.webhook') return [`/webhook/${path}`];
	if (type === 'n8n-nodes-base.formTrigger') return [`/form/${options?.path ?? path}`];
	return type === '@n8n/n8n-nodes-langchain.mcpTrigger' ? [`/mcp/${path}`] : [];
}

/** Publishes workflows in a new session. n8n's CLI would take seconds per workflow. */
export async function publishWorkflows(server: Account, ids: string[]): Promise<void> {
	const rest = await signIn(server);
	for (const id of ids) await publishWorkflow({ url: server.url, rest }, id);
}

/** Whether n8n accepts POST at a URL: a CORS preflight request, which executes nothing. */
async function acceptsPosts(url: string): Promise<boolean> {
	const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
	const preflight = { method: 'OPTIONS', headers: { origin: url, connection: 'close' }, signal };
	const response = await fetch(url, preflight).catch(() => undefined);
	return response?.headers.get('access-control-allow-methods')?.includes('POST') ?? false;
}
