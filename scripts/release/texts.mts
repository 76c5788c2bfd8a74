import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where a text can name the owner, beside the documents. */
const FOLDERS = ['credentials', 'nodes', '.github'];

const LINK = /\]\(<?([^)\s>#]+\.md)(?:#[^)\s>]*)?>?\)/g;

/** What no text may say once the package is published. */
const UNREADY: Array<[RegExp, string]> = [
	[/n8n-nodes-voice-admin\/n8n-nodes-voice-admin|n8n-nodes-voice-admin\.example/, 'a placeholder for the owner'],
	[/on npm yet|ancora su npm/i, 'a sentence that says that it is not on npm'],
	[/once the package is on npm|quando il pacchetto sarà su npm/i, 'a sentence about the time before it is on npm'],
	[/\b(?:TODO|TBD|FIXME)\b/, 'a mark of something that is left to do'],
];

/** Says which texts can't be published as they are: one sentence for each line. */
export function textProblems(root: string): string[] {
	return [...documentsIn(root), ...FOLDERS.flatMap((folder) => filesIn(root, folder))].flatMap((file) => {
		const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
		return lines.flatMap((line, index) =>
			UNREADY.filter(([pattern]) => pattern.test(line)).map(([, what]) => `${file}:${index + 1} has ${what}.`),
		);
	});
}

/** README, which npm publishes, the changelog, and every Markdown file that a link leads to from there. */
function documentsIn(root: string): string[] {
	const documents = new Set(['README.md', 'CHANGELOG.md'].filter((file) => existsSync(path.join(root, file))));
	for (const file of documents) {
		for (const [, target = ''] of readFileSync(path.join(root, file), 'utf8').matchAll(LINK)) {
			const document = path.posix.join(path.posix.dirname(file), target);
			if (!target.includes('://') && existsSync(path.join(root, document))) documents.add(document);
		}
	}
	return [...documents];
}

function filesIn(root: string, folder: string): string[] {
	if (!existsSync(path.join(root, folder))) return [];
	const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
