import { readOperations } from '../../scripts/operation/document.mts';
import { createDrafts } from '../../scripts/operation/draft.mts';
import { createFiles } from '../../scripts/operation/files.mts';

/** What each operation of a document becomes, or why it can't; and the files of those that become something. */
export async function madeOf(document: string) {
	try {
		const drafts = createDrafts(await readOperations(document));
		const written = drafts.filter((draft) => typeof draft === 'object');
		const made = drafts.map((draft) => {
			if (typeof draft === 'string') return draft;
			const { resource, operation, action, omissions } = draft;
			return { name: `${resource.name}: ${operation.name} (${action})`, omissions };
		});
		return { made, files: written.length > 0 ? Object.fromEntries(await createFiles(written)) : {} };
	} catch (error) {
		return { made: [(error as Error).message], files: {} };
	}
}
