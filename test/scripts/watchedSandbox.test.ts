import path from 'node:path';
import { copyClone, inTemporaryFolder, runNode } from './run';

/** Edits files as editors do, one after another, the first one as soon as the sandbox is ready, and waits for each restart. */
const EDITS = `
	import { readFileSync, renameSync, writeFileSync } from 'node:fs';
	import { setTimeout as sleep } from 'node:timers/promises';
	import { stopProcesses } from './scripts/bootstrap/processes.mjs';
	import { findFreePort } from './scripts/servers/ports.mts';
	import { startSandboxProcess } from './scripts/servers/sandbox.mts';

	const start = async () => await startSandboxProcess(await findFreePort(), { watch: true });
	await (await start()).stop();
	const { url } = await start();
	const ask = async (path, options) => await fetch(url + path, options).then((response) => response.json(), () => undefined);
	const SEED = 'sandbox/store/seed.ts';
	const PATHS = 'sandbox/paths/dssGateway.yaml';
	const missed = [];
	for (let nth = 0; nth < Number(process.env.EDITS ?? 4); nth += 1) {
		let isThere;
		if (nth % 2 === 0) {
			writeFileSync(SEED + '~', readFileSync(SEED, 'utf8').replace(/'Milano[^']*'/, "'Milano" + nth + "'"));
			renameSync(SEED + '~', SEED);
			isThere = async () => (await ask('/_sandbox/snapshot'))?.trunks[0].name === 'Milano' + nth + ' Main';
		} else {
			await ask('/v1/a-request');
			writeFileSync(PATHS, readFileSync(PATHS, 'utf8') + '# ' + nth + '\\n');
			isThere = async () => (await ask('/_sandbox/snapshot'))?.counters.requests === 0;
		}
		const deadline = Date.now() + 15_000;
		while (!(await isThere()) && Date.now() < deadline) await sleep(20);
		if (!(await isThere())) missed.push(nth);
	}
	console.log(JSON.stringify(missed));
	await stopProcesses();
`;

test("npm run dev's sandbox restarts at each edit, from the first one on, in a long path with a space", async () => {
	await inTemporaryFolder(async (folder) => {
		const clone = path.join(folder, 'a clone '.padEnd(Math.max(20, 110 - folder.length), 'x'));
		await copyClone(clone, 'tsconfig.json', 'nodes/VoiceAdmin/voiceAdmin.svg');
		const { output } = await runNode(['--import', 'tsx', '--input-type=module', '--eval', EDITS], {}, clone);
		expect(output).toMatch(/(^|\n)\[\]\n$/);
	});
}, 120_000);
