import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CACHE, ROOT } from '../bootstrap/paths.mjs';
import { runStep } from '../bootstrap/progress.mjs';
import { runNpm, runOrFail } from '../bootstrap/processes.mjs';
import { withTemporaryFolder } from '../bootstrap/temporaryFolder.mjs';
import { hashOf, runUnlessDone } from './stamp.mts';

const SOURCES = [
	'credentials',
	'nodes',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tsconfig.build.json',
	'gulpfile.js',
];

/**
 * Builds the package, unless dist is what the last build made from these very sources.
 * @param use what needs dist to stay as it is: the next build begins by removing it
 */
export async function ensureBuilt<T = void>(use?: () => Promise<T>): Promise<T | undefined> {
	return await runUnlessDone(
		path.join(CACHE, 'build.stamp'),
		() => hashOf(ROOT, SOURCES),
		async () => {
			await runStep('Building the package', async () => {
				await runNpm(['run', 'build'], { log: 'build' }, 'The package could not be built; the lines above say why.');
			});
		},
		() => hashOf(ROOT, ['dist']),
		use,
	);
}

/**
 * Builds and packs the package as it would be published.
 * @param folder for the tarball, in `.cache/pack` or absolute: of this command alone, so that no other one replaces it
 * @returns the tarball's path
 */
export async function buildTarball(folder: string): Promise<string> {
	return (await ensureBuilt(() => packPackage(path.resolve(CACHE, 'pack', folder))))!;
}

/**
 * Packs the built package. npm keeps the file modes, which depend on the umask of whoever cloned and built: this packs a copy
 * with fixed modes, so that the tarball is reproducible.
 */
async function packPackage(destination: string): Promise<string> {
	await mkdir(destination, { recursive: true });
	return await withTemporaryFolder(path.join(CACHE, 'packing-'), async (copyFolder) => {
		const { files } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
		// npm always packs the first three, whatever "files" says.
		for (const name of ['package.json', 'README.md', 'LICENSE', ...files]) {
			const filter = async (file: string) => !(await lstat(file)).isSymbolicLink();
			await cp(path.join(ROOT, name), path.join(copyFolder, name), { recursive: true, filter });
		}
		for (const entry of await readdir(copyFolder, { recursive: true, withFileTypes: true })) {
			await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
		}
		const options = { log: 'npm-pack', cwd: copyFolder };
		const args = ['pack', '--json', '--loglevel=error'];
		const output = await runNpm(args, options, 'The package could not be packed.');
		const packResults = JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, { filename: string }>;
		// npm prints a list; newer versions print an object by package name.
		const { filename } = Object.values(packResults)[0]!;
		// Atomically: another command may be reading the previous tarball.
		await rename(path.join(copyFolder, filename), path.join(destination, filename));
		return path.join(destination, filename);
	});
}

/** Replaces a folder's content with that of a package tarball. */
export async function unpackPackage(tarball: string, folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const options = { log: 'unpack', cwd: folder, env: process.env };
	await runOrFail('tar', ['-xzf', tarball, '--strip-components=1'], options, 'The package could not be unpacked.');
}
