import { operationsIn } from '../../scripts/operation/document.mts';
import { draftsOf } from '../../scripts/operation/draft.mts';
import { filesOf } from '../../scripts/operation/files.mts';

/** What each operation of a document becomes, the operations of today included, or why it can't; and their files, if the first one can. */
export async function madeOf(document: string, force: boolean) {
	try {
		const drafts = draftsOf(await operationsIn(document), { force });
		const written = typeof drafts[0] === 'object' ? drafts.filter((draft) => typeof draft === 'object') : [];
		const files = written.length > 0 ? Object.fromEntries(await filesOf(written)) : {};
		const made = drafts.map((draft) => {
			if (typeof draft === 'string') return draft;
			const { resource, operation, action, leftOut } = draft;
			return { resource, operation, action, leftOut };
		});
		return { made, files };
	} catch (error) {
		return { made: [(error as Error).message], files: {} };
	}
}
