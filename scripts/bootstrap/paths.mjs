import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's own folder. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Everything that can be fetched or made again; git-ignored. */
export const CACHE = path.join(ROOT, '.cache');

/** What the demo n8n keeps between runs: its database, the user's own workflows; git-ignored. */
export const DEMO = path.join(ROOT, '.demo');

/** Where the output of each long step goes. */
export const LOGS = path.join(CACHE, 'logs');

/** Jest's results as JSON, for whoever wants the numbers (`.ci/run` does). */
export const RESULTS = path.join(CACHE, 'results');

/** The folder of a pinned n8n: its manifest and lock are committed, its node_modules is not. @param {string} version */
export const runtimeFolder = (version) => path.join(ROOT, 'runtimes', `n8n-${version}`);

/** A path as the user would write it, from the folder of the clone. @param {string} file */
export const fromRoot = (file) => path.relative(ROOT, file);
