/** @type {any} */ (globalThis).SwaggerUIBundle({
	dom_id: '#viewer',
	url: '/_sandbox/openapi.yaml',
	deepLinking: true,
	tryItOutEnabled: true,
	displayRequestDuration: true,
	showExtensions: true,
	// it would send the document to a service of its makers
	validatorUrl: null,
});
