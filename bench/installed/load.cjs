// Loads the package as n8n does: n8n-workflow, which n8n has loaded long before, is not counted.
const { createRequire } = require('node:module');
const path = require('node:path');

const folder = process.argv[2];
const requireThere = createRequire(path.join(folder, 'package.json'));
requireThere('n8n-workflow');
const { n8n } = requireThere('./package.json');
const started = performance.now();
for (const file of [...n8n.credentials, ...n8n.nodes]) {
	for (const Described of Object.values(requireThere(`./${file}`))) new Described();
}
console.log(performance.now() - started);
