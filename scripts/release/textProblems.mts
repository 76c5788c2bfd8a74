import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PLACEHOLDER } from './problems.mts';

/** Where a text can name the owner, beside the documents. */
const SOURCE_FOLDERS = ['credentials', 'nodes', '.github'];

const DOCUMENT_LINK = /\]\(<?([^)\s>#]+\.md)(?:#[^)\s>]*)?>?\)/g;

/** What no text may say once the package is published. */
const UNFINISHED_TEXTS: Array<[RegExp, string]> = [
	[PLACEHOLDER, 'a placeholder for the owner'],
	[/on npm yet|ancora su npm/i, 'a sentence that says that it is not on npm'],
	[/once the package is on npm|quando il pacchetto sarà su npm/i, 'a sentence about the time before it is on npm'],
	[/\b(?:TODO|TBD|FIXME)\b/, 'a mark of something that is left to do'],
];

/** Says which texts can't be published as they are: one sentence for each line. */
export function findTextProblems(root: string): string[] {
	return [...listDocuments(root), ...SOURCE_FOLDERS.flatMap((folder) => listFiles(root, folder))].flatMap((file) => {
		const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
		return lines.flatMap((line, index) =>
			UNFINISHED_TEXTS.filter(([pattern]) => pattern.test(line)).map(
				([, problem]) => `${file}:${index + 1} has ${problem}.`,
			),
		);
	});
}

/** README, which npm publishes, the changelog, and every Markdown file that a link leads to from there. */
function listDocuments(root: string): string[] {
	const documents = new Set(['README.md', 'CHANGELOG.md'].filter((file) => existsSync(path.join(root, file))));
	for (const file of documents) {
		for (const [, linkTarget = ''] of readFileSync(path.join(root, file), 'utf8').matchAll(DOCUMENT_LINK)) {
			const document = path.posix.join(path.posix.dirname(file), linkTarget);
			if (!linkTarget.includes('://') && existsSync(path.join(root, document))) documents.add(document);
		}
	}
	return [...documents];
}

function listFiles(root: string, folder: string): string[] {
	if (!existsSync(path.join(root, folder))) return [];
	const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
