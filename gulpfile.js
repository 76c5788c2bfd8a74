const { rm } = require('node:fs/promises');
// @ts-expect-error it has no types
const { dest, src, watch } = require('gulp');

const ASSETS = 'nodes/**/*.{svg,json}';

/** `npm run dev` sets it to n8n's copy of the package. */
const { VOICE_ADMIN_DIST = 'dist' } = process.env;

/** Removes dist, so that a file deleted from the sources disappears from the package. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Copies what tsc doesn't: icons, codex files and output schemas. */
function assets() {
	// Otherwise gulp would decode and re-encode the files as text.
	return src(ASSETS, { encoding: false }).pipe(dest(`${VOICE_ADMIN_DIST}/nodes`));
}

/** Copies them again whenever one changes. */
function watchAssets() {
	watch(ASSETS, { ignoreInitial: false }, assets);
}

module.exports = { clean, assets, watchAssets };
