/**
 * Settings of the HTTP Request node's batching for a service that takes 100 requests a second: what someone
 * would try who knows that number. batchInterval: ms that n8n waits after it has begun a batch, which itself
 * takes some 5 ms for each item (n8n 2.8.4, 2.5 GHz), so that the rule of thumb, 100 per 1,000 ms, is slower
 * than the service allows.
 */
export const BATCHINGS = [
	{ batchSize: 100, batchInterval: 1_000 },
	{ batchSize: 100, batchInterval: 600 },
	{ batchSize: 100, batchInterval: 400 },
	{ batchSize: 50, batchInterval: 250 },
	{ batchSize: 10, batchInterval: 50 },
	{ batchSize: 10, batchInterval: 25 },
];

/**
 * The ones that came out best by `npm run bench -- --only limiter-batchings`, and are run beside this package's
 * node: more than one, as the two versions of n8n take different times to begin a batch.
 */
export const FINALISTS = BATCHINGS.filter(({ batchSize, batchInterval }) => batchSize === 100 && batchInterval < 1_000);
