/* global SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

SwaggerUIBundle({
	dom_id: '#viewer',
	url: '/_sandbox/openapi.json',
	deepLinking: true,
	tryItOutEnabled: true,
	displayRequestDuration: true,
	showExtensions: true,
	// it would send the document to a service of its makers
	validatorUrl: null,
});
