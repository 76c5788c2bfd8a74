import { quantile, spread } from './statistics.mjs';

/** @typedef {import('./track/measure.mjs').Measurement} Measurement */

/**
 * What is read off a measurement, each by its name.
 * @type {Record<string, (measured: Measurement) => number>}
 */
export const FIGURES = {
	seconds: ({ time }) => time / 1000,
	/** Items a second. Of requests that had to be sent again only the last counts. */
	throughput: ({ good, time }) => good / (time / 1000),
	logins: ({ service }) => service.logins,
	peakInFlight: ({ service }) => service.peakInFlight,
	sockets: ({ service }) => service.sockets,
	/** MB */
	peakMemory: ({ peakMemory }) => peakMemory / 1e6,
	/** Seconds of processor time. */
	cpu: ({ cpu }) => cpu / 1000,
	/** Requests without a good reply, logins not counted. */
	failedRequests: ({ service }) => service.requests - service.good,
	/** Requests that were not the same as one before, and had a good reply. */
	different: ({ service }) => service.different,
	/** Requests, logins included. */
	sent: ({ service }) => service.requests + service.logins,
	/** Share of all requests, logins included, that did no item's work. */
	wasted: ({ service }) => 1 - service.different / (service.requests + service.logins),
	lost: ({ items, good }) => items - good,
	/** Share of all requests, logins included, that the service's limit rejected. */
	rateLimited: ({ service }) => service.limited / (service.requests + service.logins),
	/** Seconds that the service's limit alone would take. */
	ideal: ({ ideal }) => ideal / 1000,
	timesIdeal: ({ time, ideal }) => time / ideal,
	failedCalls: ({ failedCalls }) => failedCalls,
	/** Calls with a single item: ms until the reply. */
	firstSingle: ({ firstSingle }) => firstSingle,
	singleMedian: ({ singles }) => spread(singles).median,
	singleP95: ({ singles }) => quantile(singles, 0.95),
	singleWorst: ({ singles }) => spread(singles).max,
	failedSingles: ({ failedSingles }) => failedSingles,
};

/**
 * Whether an entry took part in a scenario: results may be older than it.
 * @param {import('./results.mjs').ScenarioResult | undefined} result
 * @param {string} entry its id
 */
export const tookPart = (result, entry) => result?.scenario.entries.some(({ id }) => id === entry) ?? false;

/**
 * A figure of one entry over all rounds.
 * @param {import('./results.mjs').ScenarioResult} result
 * @param {string} entry its id
 * @param {keyof typeof FIGURES} figure
 */
export const figure = ({ rounds }, entry, figureName) => spread(rounds.map((round) => FIGURES[figureName](round[entry])));

/**
 * How many times as much one entry has of a figure as another: taken in each round, so that both stand for
 * the same minute of the machine.
 * @param {import('./results.mjs').ScenarioResult} result
 * @param {string} entry its id
 * @param {string} other
 * @param {keyof typeof FIGURES} figureName
 */
export const ratio = ({ rounds }, entry, other, figureName) =>
	spread(rounds.map((round) => FIGURES[figureName](round[entry]) / FIGURES[figureName](round[other])));
