const { rm } = require('node:fs/promises');
// @ts-expect-error it has no types
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

module.exports = { clean, assets };
