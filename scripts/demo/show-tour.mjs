import { loadPackage } from '../n8n/load-package.mjs';
import { step } from '../setup/progress.mjs';
import { importDemo } from './import.mjs';
import { printTable } from './table.mjs';
import { runTour } from './tour.mjs';

/**
 * Puts package, credentials and workflows into n8n, runs the tour and prints its table.
 * @param {import('../n8n/home.mjs').N8n} n8n
 * @param {string} sandboxUrl
 * @returns {Promise<boolean>} whether each row came out as expected, and no secret with it
 */
export async function showTour(n8n, sandboxUrl) {
	await step('Loading the package into n8n', () => loadPackage(n8n));
	await step('Importing credentials and example workflows', (report) => importDemo(n8n, sandboxUrl, report));
	// Without n8n's own lines: those about its Python runner only frighten.
	const { rows, secrets } = await step(`Running the tour in n8n ${n8n.version}`, () => runTour(n8n));
	await printTable(rows);
	const wrong = rows.filter(({ asExpected }) => !asExpected);
	if (wrong.length === 0) console.log(`All ${rows.length} rows came out as expected, the errors included.`);
	else console.log(`${wrong.length} of ${rows.length} rows did not come out as expected: ${wrong.map(({ name }) => name).join('; ')}.`);
	if (secrets.length === 0) console.log('In all that n8n printed there is neither an API key nor an access token.');
	else console.log(`In what n8n printed there is ${secrets.join(' and ')}.`);
	return rows.length > 0 && wrong.length === 0 && secrets.length === 0;
}
