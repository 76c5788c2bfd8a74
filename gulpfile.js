const { chmod, readdir, rm } = require('node:fs/promises');
const { join } = require('node:path');
const { dest, src } = require('gulp');

/** Removes dist, so that a file that is gone from the sources is gone from the package. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Copies what tsc leaves behind: icons, codex and output schemas. */
function assets() {
	// Not as text: gulp would re-encode what it takes for text.
	return src('nodes/**/*.{svg,json}', { encoding: false }).pipe(dest('dist/nodes'));
}

/**
 * Gives what will be packed the same mode everywhere: npm packs files with the modes that they have, and these
 * depend on the umask of who cloned and built. So the same sources give the same tarball.
 */
async function modes() {
	const built = await readdir('dist', { recursive: true, withFileTypes: true });
	const files = built.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	// What npm packs beside dist: see "files" in package.json, and npm's own choice of documents.
	const documents = (await readdir('.')).filter((name) => /^(package\.json|(README|LICENSE|CHANGELOG)(\..+)?)$/.test(name));
	await Promise.all([...files, ...documents].map((file) => chmod(file, 0o644)));
}

module.exports = { clean, assets, modes };
