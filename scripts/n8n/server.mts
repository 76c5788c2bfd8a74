import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../bootstrap/failure.mjs';
import type { Started } from '../bootstrap/processes.mjs';
import { answers, REPLY_WITHIN_MS, waitUntil } from '../servers/waiting.mts';
import { startN8n } from './cli.mts';
import type { N8n } from './home.mts';

/** An account of n8n. */
export type Owner = Record<'email' | 'password' | 'firstName' | 'lastName', string>;

/** url: of the editor, without a slash at its end; owner: who can sign in. */
interface Account {
	url: string;
	owner: Owner;
}

/** A running n8n. */
export interface Server extends Started, Account {}

const READY_WITHIN_MS = 120_000;
const PUBLISHED_WITHIN_MS = 60_000;

/**
 * With the mark of a browser: n8n takes a session only together with it. And a connection for each call: n8n closes one
 * that rests for 5 seconds, perhaps as the next call leaves.
 */
const SESSION = { 'content-type': 'application/json', 'browser-id': 'n8n-voice-admin', connection: 'close' };

/** Starts n8n's server and waits until its editor can be used. @param options log: the log's name */
export async function serveEditor(n8n: N8n, { port, log = 'n8n' }: { port: number; log?: string }): Promise<Server> {
	// Asked by address: `localhost` may first be tried as ::1, where n8n does not listen.
	const local = `http://127.0.0.1:${port}`;
	const server = await startN8n(n8n, ['start'], { log, settings: { N8N_PORT: String(port) } });
	// Its REST routes answer a little after its readiness, and with the editor's page before.
	const isReady = async () => (await answers(`${local}/healthz/readiness`)) && (await answers(`${local}/rest/settings`));
	await waitUntil(isReady, { what: 'n8n', process: server, withinMs: READY_WITHIN_MS });
	const file = path.join(n8n.home, 'owner.json');
	if (!existsSync(file)) writeFileSync(file, JSON.stringify(await setUpOwner(local)), { mode: 0o600 });
	return { ...server, url: `http://localhost:${port}`, owner: JSON.parse(readFileSync(file, 'utf8')) as Owner };
}

/**
 * Makes an account the owner of a fresh n8n, with a password that nobody else knows: n8n listens on this machine only,
 * but a page in a browser may reach it by a host name of its own, and an owner may install packages.
 */
async function setUpOwner(url: string): Promise<Owner> {
	const owner = {
		email: 'demo@voice-admin.example',
		// By n8n's rules with a digit and a capital.
		password: `A1-${randomBytes(15).toString('base64url')}`,
		firstName: 'Voice Admin',
		lastName: 'Demo',
	};
	await send(url, 'POST', '/owner/setup', owner);
	return owner;
}

/** A request to n8n's REST API by who has signed in. @returns the `data` of the reply; a Failure for a status that is no success */
export type Rest = <T>(method: string, path: string, body?: object) => Promise<T>;

async function send(url: string, method: string, at: string, body?: object, cookie = ''): Promise<Response> {
	const response = await fetch(`${url}/rest${at}`, { method, headers: { ...SESSION, cookie }, ...(body && { body: JSON.stringify(body) }) });
	if (!response.ok) throw new Failure(`n8n answered ${method} ${at} with ${response.status}: ${(await response.text()).slice(0, 500)}`);
	return response;
}

/**
 * Signs in to a running n8n, which takes only a few sign-ins a minute.
 * @returns the cookie of the session
 * @throws {Failure} with the status, when n8n does not accept it
 */
export async function cookieOf({ url, owner }: Account): Promise<string> {
	const login = await send(url, 'POST', '/login', { emailOrLdapLoginId: owner.email, password: owner.password });
	return login.headers.getSetCookie().map((text) => text.split(';')[0]).join('; ');
}

/** n8n's REST API in a session. */
export const restOf = (url: string, cookie: string): Rest =>
	async <T,>(method: string, at: string, body?: object) => ((await (await send(url, method, at, body, cookie)).json()) as { data: T }).data;

/** As {@link cookieOf}, for one who needs the session alone. */
export const signIn = async (server: Account): Promise<Rest> => restOf(server.url, await cookieOf(server));

/** What is used of a workflow in n8n. */
interface Stored {
	versionId: string;
	nodes: Array<{ type: string; parameters: { path?: string; options?: { path?: string } } }>;
}

/**
 * Publishes a workflow, or ends that. Waits until n8n takes calls of its webhooks and forms, which from n8n 2.41 on, and
 * in queue mode, is a little after n8n's reply.
 */
export async function publishWorkflow({ url, rest }: { url: string; rest: Rest }, id: string, isPublished = true): Promise<void> {
	const { versionId, nodes } = await rest<Stored>('GET', `/workflows/${id}`);
	await rest('POST', `/workflows/${id}/${isPublished ? 'activate' : 'deactivate'}`, { versionId });
	if (!isPublished) return;
	for (const path of nodes.flatMap(pathOf)) {
		for (const deadline = Date.now() + PUBLISHED_WITHIN_MS; !(await takesPosts(url + path)); await sleep(50)) {
			if (Date.now() > deadline) throw new Failure(`n8n has published the workflow ${id}, and takes no call of ${path}.`);
		}
	}
}

/** Where n8n takes calls that start a node. */
function pathOf({ type, parameters: { path, options } }: Stored['nodes'][number]): string[] {
	if (type === 'n8n-nodes-base.webhook') return [`/webhook/${path}`];
	if (type === 'n8n-nodes-base.formTrigger') return [`/form/${options?.path ?? path}`];
	return type === '@n8n/n8n-nodes-langchain.mcpTrigger' ? [`/mcp/${path}`] : [];
}

/** Publishes workflows in a session of its own. By n8n's command each of them would take some seconds. */
export async function publishWorkflows(server: Account, ids: string[]): Promise<void> {
	const rest = await signIn(server);
	for (const id of ids) await publishWorkflow({ url: server.url, rest }, id);
}

/** Whether n8n takes POST at an address, asked as a browser does; nothing is executed. */
async function takesPosts(url: string): Promise<boolean> {
	const signal = AbortSignal.timeout(REPLY_WITHIN_MS);
	const asked = { method: 'OPTIONS', headers: { origin: url, connection: 'close' }, signal };
	const response = await fetch(url, asked).catch(() => undefined);
	return response?.headers.get('access-control-allow-methods')?.includes('POST') ?? false;
}
