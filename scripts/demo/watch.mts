import path from 'node:path';
import { createRunEnv } from '../bootstrap/environment.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { runProcess } from '../bootstrap/processes.mjs';
import { type N8nInstance, packageFolderOf } from '../n8n/home.mts';

/** Lets n8n reload a package when its files change; n8n 2.8.4 does so only with this NODE_ENV. */
export const RELOAD_SETTINGS = { N8N_DEV_RELOAD: 'true', NODE_ENV: 'development' };

/**
 * Updates n8n's copy of the package on each save. If the sources don't compile, the errors are printed, and n8n keeps the
 * previous version.
 * @param options root: of the sources; output: of the compiler and of gulp
 * @returns when one of the two has ended, which neither does by itself
 */
export async function watchSources(
	n8n: N8nInstance,
	{ root = ROOT, output = 'inherit' }: { root?: string; output?: 'inherit' | number } = {},
): Promise<void> {
	const dist = path.join(packageFolderOf(n8n), 'dist');
	const options = { cwd: root, env: { ...createRunEnv(), VOICE_ADMIN_DIST: dist }, stdout: output, stderr: output };
	const run = (program: string, ...programArgs: string[]) =>
		runProcess(process.execPath, [path.join(ROOT, 'node_modules', program), ...programArgs], options);
	const args = ['-p', 'tsconfig.build.json', '--outDir', dist, '--watch', '--preserveWatchOutput', '--noEmitOnError'];
	await Promise.race([run('typescript/bin/tsc', ...args), run('gulp/bin/gulp.js', '--silent', 'watchAssets')]);
}
