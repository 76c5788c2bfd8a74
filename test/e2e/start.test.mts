import { closeSync, openSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ROOT } from '../../scripts/bootstrap/paths.mjs';
import { stopProcesses } from '../../scripts/bootstrap/processes.mjs';
import { importNewExamples } from '../../scripts/demo/examples.mts';
import { RELOAD_SETTINGS, watchSources } from '../../scripts/demo/watch.mts';
import { unpackIntoN8n } from '../../scripts/n8n/home.mts';
import { fetchCookie, startServer } from '../../scripts/n8n/server.mts';
import { findFreePort } from '../../scripts/servers/ports.mts';
import { n8n } from '../support/n8n/n8n.mts';
import { chainNodes } from '../../scripts/n8n/workflow.mts';
import { until } from '../support/until';

const home = path.join(n8n.home, 'watch');
/** A copy, as other tests pack the package meanwhile. */
const root = path.join(home, 'sources');
const node = path.join('nodes', 'VoiceAdmin', 'VoiceAdmin.node.ts');
const icon = path.join('nodes', 'VoiceAdmin', 'voiceAdmin.svg');
const log = path.join(home, 'screen.log');

let screen: number;
/** A page of n8n, as its editor gets it. */
let page: (at: string) => Promise<string>;

const change = async (file: string, from: string, to: string) => {
	const text = await readFile(path.join(root, file), 'utf8');
	expect(text).toContain(from);
	await writeFile(path.join(root, file), text.replace(from, to));
};
const shown = async (text: string) =>
	await until(async () => (await readFile(log, 'utf8')).includes(text), `the screen shows ${text}`);
/** n8n writes them again now and then, and has none while it does. */
const described = async (text: string) =>
	await until(async () => (await page('/types/nodes.json')).includes(text), `n8n describes the node as ${text}`);

beforeAll(async () => {
	await mkdir(root, { recursive: true });
	for (const name of ['nodes', 'credentials', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js']) {
		await cp(path.join(ROOT, name), path.join(root, name), { recursive: true });
	}
	screen = openSync(log, 'a');
	const own = { ...n8n, home, settings: RELOAD_SETTINGS };
	await unpackIntoN8n(own, process.env.VOICE_ADMIN_TARBALL!);
	const server = await startServer(own, { port: await findFreePort(), log: `n8n-watch-${n8n.version}` });
	// n8n closes a connection that rests, perhaps as the next call leaves.
	const headers = { cookie: await fetchCookie(server), 'browser-id': 'n8n-voice-admin', connection: 'close' };
	// Breaks off when the file is written again while n8n sends it: as good as not there yet.
	page = async (at) =>
		await fetch(server.url + at, { headers })
			.then(async (response) => await response.text())
			.catch(() => '');
	void watchSources(own, { root, output: screen });
	await shown('Found 0 errors');
});

afterAll(async () => {
	await stopProcesses();
	closeSync(screen);
	await rm(home, { recursive: true, force: true });
});

test('n8n takes up each change of a source', async () => {
	for (const nth of [1, 2, 3]) {
		await change(node, "description: '", `description: 'change ${nth}, `);
		await described(`change ${nth}, `);
	}
});

test('n8n takes up an icon', async () => {
	await change(icon, '<svg ', '<svg data-changed="yes" ');
	const served = async () => await page('/icons/n8n-nodes-voice-admin/dist/nodes/VoiceAdmin/voiceAdmin.svg');
	await until(async () => (await served()).includes('data-changed'), 'n8n has the new icon');
});

test('a mistake is shown with its file and line, and n8n goes on until it is mended', async () => {
	await change(node, "description: 'change 3", "description: 5, color: 'change 4");
	const lines = (await readFile(path.join(root, node), 'utf8')).split('\n');
	await shown(`${node}(${lines.findIndex((line) => line.includes('description: 5')) + 1},`);
	await described('change 3');
	await change(node, "description: 5, color: 'change 4", "description: 'mended, change 3");
	await described('mended, change 3');
});

test('npm start imports an example once, so that changes in n8n stay, and again with --reset', async () => {
	const own = { ...n8n, home: path.join(n8n.home, 'import-once') };
	const set = { name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} };
	const content = (...ids: string[]) => ({
		sandboxUrl: 'http://127.0.0.1:3456',
		workflows: ids.map((id) => chainNodes({ id, name: id, nodes: [set] })),
	});
	expect(await importNewExamples(own, content('first'), false)).toEqual(['first']);
	expect(await importNewExamples(own, content('first', 'second'), false)).toEqual(['second']);
	expect(await importNewExamples(own, content('first', 'second'), true)).toEqual(['first', 'second']);
});
