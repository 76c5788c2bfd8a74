import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installEnvironment } from './environment.mjs';
import { installFailure } from './install-failure.mjs';
import { N8N_VERSIONS } from './n8n-versions.mjs';
import { npm } from './npm.mjs';
import { CACHE, ROOT, runtimeFolder } from './paths.mjs';

/**
 * A folder like those of the pinned versions for the newest n8n in the registry, but without a lock: it is there
 * to learn early of what a coming n8n breaks. It has the overrides of the newest pinned version.
 * @returns {Promise<{ version: string, folder: string }>}
 */
export async function newestN8n() {
	const result = await npm(['view', 'n8n', 'version', '--json'], { log: 'n8n-newest-version', cwd: ROOT, env: installEnvironment() });
	if (result.code !== 0) throw installFailure('the newest n8n', result);
	const version = JSON.parse(result.stdout);
	const folder = path.join(CACHE, 'n8n-newest');
	await mkdir(folder, { recursive: true });
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'n8n-runtime-newest', private: true, dependencies: { n8n: version } }));
	await copyFile(path.join(runtimeFolder(N8N_VERSIONS.at(-1).version), 'pnpm-workspace.yaml'), path.join(folder, 'pnpm-workspace.yaml'));
	return { version, folder };
}
