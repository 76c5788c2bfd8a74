import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { operationsIn } from '../../scripts/operation/document.mts';
import { draftsOf } from '../../scripts/operation/draft.mts';
import { Code } from '../../scripts/operation/fields.mts';
import { definitionOf, filesOf } from '../../scripts/operation/files.mts';

/** What a document's operations become: drafts, without the document, which may contain itself, or why there is none. */
export async function madeOf(document: string) {
	const drafts = draftsOf(await operationsIn(document));
	return drafts.map((draft) => {
		if (typeof draft === 'string') return draft;
		const { resource, operation, action, url, leftOut } = draft;
		return { resource, operation, action, url, leftOut };
	});
}

/** The files of a document's first operation, by path. */
export async function filesOfFirst(document: string) {
	const [draft] = draftsOf(await operationsIn(document));
	return typeof draft === 'object' ? Object.fromEntries(await filesOf(draft)) : draft;
}

/** What a value consists of, by path; an entry of a list by its name. A parser is its name. */
function flat(value: unknown, at: string[] = []): Array<[string, unknown]> {
	if (value instanceof Code) return [[at.join('.'), value.text]];
	if (typeof value === 'function') return [[at.join('.'), value.name]];
	if (typeof value !== 'object' || value === null) return [[at.join('.'), value]];
	return Object.entries(value).flatMap(([name, each]) => {
		const own = Array.isArray(value) ? ((each as { name?: string }).name ?? name) : name;
		return flat(each, [...at, own]);
	});
}

/** The operations of today as the sandbox's document would make them: what is the same as it stands there, and what is not. */
export async function comparedWithToday(document: string) {
	const present = RESOURCES.flatMap(({ operations }) => operations);
	return draftsOf(await operationsIn(document), { again: true }).flatMap((draft) => {
		if (typeof draft === 'string') return [];
		const same = present.find(
			({
				option: {
					routing: { request },
				},
			}) => {
				return request.method === draft.found.method && request.url.replace('{/organizationId}', '') === draft.url;
			},
		);
		if (!same) return [];
		const [made, there] = [definitionOf(draft), same].map((each) => Object.fromEntries(flat(each)));
		const isSame = (name: string) => made![name] === there![name];
		const other = Object.keys({ ...made, ...there }).filter((name) => !isSame(name));
		return [{ id: draft.found.id, same: Object.keys(made!).filter(isSame), other }];
	});
}
