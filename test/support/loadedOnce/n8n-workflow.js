module.exports = /** @type {any} */ (globalThis).loadOnce('n8n-workflow');
