import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { n8nCommand } from './command.mjs';

/**
 * Imports credentials and workflows by n8n's own commands. What has the same id is replaced.
 * @param {import('./home.mjs').N8n} n8n
 * @param {Record<string, object[]>} content by the name of n8n's command for it: `credentials`, `workflow`
 * @param {(line: string) => void} [report]
 */
export async function importInto(n8n, content, report) {
	const folder = path.join(n8n.home, 'import');
	await mkdir(folder, { recursive: true });
	for (const [kind, records] of Object.entries(content)) {
		if (records.length === 0) continue;
		const file = path.join(folder, `${kind}.json`);
		await writeFile(file, JSON.stringify(records));
		await n8nCommand(n8n, [`import:${kind}`, `--input=${file}`], { report });
	}
}
