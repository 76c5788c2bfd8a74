import { inFlight } from './in-flight.mjs';
import { items, memory } from './items.mjs';
import { latency } from './latency.mjs';
import { limiter } from './limiter.mjs';
import { throughput } from './throughput.mjs';

/**
 * @typedef {object} Plot
 * @property {string} file the end of its name, without the extension
 * @property {string} alt what it shows, for those who can't see it
 * @property {(all: import('../../results.mjs').Results[], subtitle: string[]) => object | undefined} spec of Vega-Lite;
 *   undefined where nothing of it was measured. subtitle: machine and versions
 *
 * @type {Record<string, Plot>}
 */
export const PLOTS = { throughput, items, memory, latency, inFlight, limiter };
