module.exports = /** @type {any} */ (globalThis).sharedModules['n8n-core'];
