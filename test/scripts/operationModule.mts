import { operationsIn } from '../../scripts/operation/document.mts';
import { draftsOf } from '../../scripts/operation/draft.mts';
import { filesOf } from '../../scripts/operation/files.mts';

/** What each operation of a document becomes, or why it can't; and the files of those that become something. */
export async function madeOf(document: string) {
	try {
		const drafts = draftsOf(await operationsIn(document));
		const written = drafts.filter((draft) => typeof draft === 'object');
		const made = drafts.map((draft) => {
			if (typeof draft === 'string') return draft;
			const { resource, operation, action, leftOut } = draft;
			return { name: `${resource.name}: ${operation.name} (${action})`, leftOut };
		});
		return { made, files: written.length > 0 ? Object.fromEntries(await filesOf(written)) : {} };
	} catch (error) {
		return { made: [(error as Error).message], files: {} };
	}
}
