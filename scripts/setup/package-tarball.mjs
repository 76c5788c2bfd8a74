import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { installEnvironment } from './environment.mjs';
import { npm } from './npm.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { runLogged, tail } from './run-logged.mjs';

/**
 * Packs the built package as it would be published.
 * @param {string} [destination] the folder to put it in
 * @returns {Promise<string>} the tarball's path
 */
export async function packPackage(destination = path.join(CACHE, 'pack')) {
	await mkdir(destination, { recursive: true });
	const result = await npm(['pack', '--json', '--pack-destination', destination], { log: 'npm-pack', cwd: ROOT, env: installEnvironment() });
	if (result.code !== 0) throw new Failure('The package could not be packed.', { details: tail(result.output) });
	const packed = JSON.parse(result.stdout.slice(result.stdout.search(/^[[{]/m)));
	// npm answers with a list, newer ones with an object by package name.
	const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
	return path.join(destination, filename);
}

/**
 * Unpacks a package tarball in place of whatever is in the folder.
 * @param {string} tarball
 * @param {string} folder
 */
export async function unpackPackage(tarball, folder) {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	// A relative name: tar takes the colon of a Windows path for the name of a host.
	const relative = path.relative(folder, tarball).split(path.sep).join('/');
	const result = await runLogged('tar', ['-xzf', relative, '--strip-components=1'], { log: 'unpack', cwd: folder, env: process.env });
	if (result.code !== 0) throw new Failure('The package could not be unpacked.', { details: tail(result.output) });
}
