import path from 'node:path';

import { importOnce } from '../../scripts/demo/examples.mts';
import { importInto } from '../../scripts/n8n/cli.mts';
import { n8nAt } from '../../scripts/n8n/home.mts';
import { chain } from '../support/n8n/workflow.mts';
import { n8n } from '../support/n8n/n8n.mts';

test('npm start imports a workflow again where its file has changed, and nobody has changed it in n8n', async () => {
	const own = n8nAt(n8n, path.join(n8n.home, 'import-once'));
	const workflow = (id: string, value: string) =>
		chain({ id, name: id, nodes: [{ name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput: value } }] });
	const files = (value: string) => ({ credentials: [], workflow: [workflow('mine', value), workflow('yours', value), workflow('same', '1')] });
	expect(await importOnce(own, files('1'), false)).toEqual(['mine', 'yours', 'same']);
	expect(await importOnce(own, files('1'), false)).toEqual([]);
	await importInto(own, { workflow: [workflow('yours', 'changed in n8n')] });
	expect(await importOnce(own, files('2'), false)).toEqual(['mine']);
	expect(await importOnce(own, files('2'), true)).toEqual(['mine', 'yours', 'same']);
});
