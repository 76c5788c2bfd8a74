import path from 'node:path';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { runProcess } from '../bootstrap/processes.mjs';
import { type N8n, packageFolder } from '../n8n/home.mts';

/** By which n8n takes up the files of a package as they change; n8n 2.8.4 in this mode only. */
export const RELOADING = { N8N_DEV_RELOAD: 'true', NODE_ENV: 'development' };

/** root: where the sources are; screen: of the two programs. */
interface Options {
	root?: string;
	screen?: 'inherit' | number;
}

/**
 * Renews n8n's copy of the package on each save. Sources with a mistake are not compiled: it is on the screen, and n8n
 * goes on with what it has.
 * @returns when one of the two programs has ended, which they do not by themselves
 */
export async function watchSources(n8n: N8n, { root = ROOT, screen = 'inherit' }: Options = {}): Promise<void> {
	const dist = path.join(packageFolder(n8n), 'dist');
	const options = { cwd: root, env: { ...runEnvironment(), VOICE_ADMIN_DIST: dist }, stdout: screen, stderr: screen };
	const run = (program: string, ...args: string[]) => runProcess(process.execPath, [path.join(ROOT, 'node_modules', program), ...args], options);
	const compile = ['-p', 'tsconfig.build.json', '--outDir', dist, '--watch', '--preserveWatchOutput', '--noEmitOnError'];
	await Promise.race([run('typescript/bin/tsc', ...compile), run('gulp/bin/gulp.js', '--silent', 'watchAssets')]);
}
