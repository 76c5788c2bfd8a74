import path from 'node:path';
import { Failure } from './failure.mjs';
import { installEnvironment } from './environment.mjs';
import { npm } from './npm.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { step } from './progress.mjs';
import { tail } from './run-logged.mjs';
import { hashOf, stamp } from './stamp.mjs';

const SOURCES = ['credentials', 'nodes', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js'];

/** Builds the package where dist is not what the last build made of just these sources. */
export async function ensureBuilt() {
	const built = stamp(path.join(CACHE, 'build.stamp'));
	const state = () => `${hashOf(ROOT, SOURCES)} ${hashOf(ROOT, ['dist'])}`;
	if (built.matches(state())) return;
	await step('Building the package', async (report) => {
		built.clear();
		const result = await npm(['run', 'build'], { log: 'build', cwd: ROOT, env: installEnvironment(), report });
		if (result.code !== 0) {
			throw new Failure('The package could not be built; the lines above say why.', { details: tail(result.output, 40) });
		}
		built.write(state());
	});
}
