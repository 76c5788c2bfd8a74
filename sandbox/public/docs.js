/** @type {any} */ (globalThis).SwaggerUIBundle({
	dom_id: '#viewer',
	url: '/_sandbox/openapi.yaml',
	deepLinking: true,
	tryItOutEnabled: true,
	displayRequestDuration: true,
	showExtensions: true,
	// otherwise Swagger UI sends the document to validator.swagger.io
	validatorUrl: null,
});
