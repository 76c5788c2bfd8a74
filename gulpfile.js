const { rm } = require('node:fs/promises');
// @ts-expect-error it has no types
const { dest, src, watch } = require('gulp');

const ASSETS = 'nodes/**/*.{svg,json}';

/** Another one is told by `npm run dev`, which has n8n's copy of the package renewed. */
const { VOICE_ADMIN_DIST = 'dist' } = process.env;

/** Removes dist, so that a file that is gone from the sources is gone from the package. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Copies what tsc leaves behind: icons, codex and output schemas. */
function assets() {
	// Not as text: gulp would re-encode what it takes for text.
	return src(ASSETS, { encoding: false }).pipe(dest(`${VOICE_ADMIN_DIST}/nodes`));
}

/** The same again whenever one of them changes. */
function watchAssets() {
	watch(ASSETS, { ignoreInitial: false }, assets);
}

module.exports = { clean, assets, watchAssets };
