import { installEnvironment } from './environment.mjs';
import { registryUnreachable } from './install-failure.mjs';
import { npm } from './npm.mjs';
import { ROOT } from './paths.mjs';

let checked = false;

/**
 * Asks the registry for a sign of life before a long install: npm's and pnpm's own retries would take
 * minutes to say that there is no network. A registry that answers, with whatever, is reachable.
 */
export async function requireRegistry() {
	if (checked) return;
	const result = await npm(['ping', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=15000'], {
		log: 'registry',
		cwd: ROOT,
		env: installEnvironment(),
	});
	const problem = result.code === 0 ? undefined : registryUnreachable(result.output);
	if (problem) throw problem;
	checked = true;
}
