import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the clone. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Everything that can be downloaded or built again; git-ignored. */
export const CACHE = path.join(ROOT, '.cache');

/** What the n8n of npm start keeps between runs: its database, with the user's workflows; git-ignored. */
export const DEMO = path.join(ROOT, '.demo');

/** The output of the programs that the commands start. */
export const LOGS = path.join(CACHE, 'logs');

/** Jest's results as JSON, for `.ci/run`. */
export const RESULTS = path.join(CACHE, 'results');

/** The folder of a pinned n8n: package.json and lock file are committed, node_modules is not. @param {string} version */
export const runtimeFolderOf = (version) => path.join(ROOT, 'runtimes', `n8n-${version}`);

/** A path relative to the root of the clone, for messages. @param {string} file */
export const formatPath = (file) => path.relative(ROOT, file);
