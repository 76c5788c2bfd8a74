import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installEnvironment } from './environment.mjs';
import { Failure } from './failure.mjs';
import { installFailure } from './install-failure.mjs';
import { N8N_VERSIONS } from './n8n-versions.mjs';
import { npm } from './npm.mjs';
import { CACHE, ROOT, runtimeFolder } from './paths.mjs';

/** How many versions are tried: n8n now and then publishes one without the packages that it asks for. */
const TRIED = 5;

/**
 * A folder like those of the pinned versions for the newest n8n in the registry whose own packages are there too, but
 * without a lock: it is there to learn early of what a coming n8n breaks. It has the overrides of the newest pinned version.
 * @returns {Promise<{ version: string, folder: string }>}
 */
export async function newestN8n() {
	const version = await newestVersion();
	const folder = path.join(CACHE, 'n8n-newest');
	await mkdir(folder, { recursive: true });
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'n8n-runtime-newest', private: true, dependencies: { n8n: version } }));
	await copyFile(path.join(runtimeFolder(N8N_VERSIONS.at(-1).version), 'pnpm-workspace.yaml'), path.join(folder, 'pnpm-workspace.yaml'));
	return { version, folder };
}

async function newestVersion() {
	const latest = await ask('n8n', 'version');
	const versions = (await ask('n8n', 'versions')).filter((version) => /^[0-9.]+$/.test(version));
	const before = versions.slice(0, versions.indexOf(latest) + 1).reverse().slice(0, TRIED);
	for (const version of before) {
		const core = await ask(`n8n@${version}`, 'dependencies.n8n-core');
		if ((await ask('n8n-core', 'versions')).includes(core)) return version;
	}
	throw new Failure(`None of the newest versions of n8n, ${before.join(', ')}, has its n8n-core in the registry.`);
}

async function ask(name, field) {
	const result = await npm(['view', name, field, '--json'], { log: 'n8n-newest-version', cwd: ROOT, env: installEnvironment() });
	if (result.code !== 0) throw installFailure('the newest n8n', result);
	return JSON.parse(result.stdout);
}
