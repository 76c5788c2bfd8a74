import type { Piece, Section, Traits } from './outline';

export interface Document {
	file: string;
	sections: Section[];
}

/**
 * Where a translation has fallen behind its original, or gone ahead of it: in its sections, in what these consist of,
 * and in what no language changes (code, links, pictures, names of the editor, figures, how many sentences there are).
 * A sentence that only says something else, with the same figures, is not noticed. Each problem names both places.
 */
export function differences(original: Document, translation: Document): string[] {
	const sections = original.sections;
	const translated = translation.sections;
	const problem = (line: number, where: string, what: string) => `${original.file}:${line}, ${where}: ${what}; bring ${translation.file} in step`;
	const named = (section: Section | undefined) => (section ? `section '${section.heading}'` : 'the end');
	const at = (line: number | undefined) => (line === undefined ? translation.file : `${translation.file}:${line}`);

	if (levels(sections) !== levels(translated)) {
		const first = sections.findIndex((section, index) => fingerprint(section) !== fingerprint(translated[index]));
		const index = first === -1 ? sections.length : first;
		return [problem((sections[index] ?? sections.at(-1))?.line ?? 1, named(sections[index]), `${at(translated[index]?.line)} has ${named(translated[index])} in its place, and ${translated.length} sections, not ${sections.length}`)];
	}

	/** Links as the original has them: to its own sections, and to the other language. */
	const asInOriginal = (link: string) => {
		if (link === original.file) return translation.file;
		const section = link.startsWith('#') ? translated.findIndex(({ anchor }) => `#${anchor}` === link) : -1;
		return section === -1 ? link : `#${sections[section]!.anchor}`;
	};

	return sections.flatMap((section, index) => {
		const other = translated[index]!;
		const last = Math.max(section.blocks.length, other.blocks.length);
		for (let block = 0; block < last; block++) {
			const [mine, theirs] = [section.blocks[block], other.blocks[block]];
			if (mine?.shape !== theirs?.shape) return [problem((mine ?? section).line, named(section), `a ${mine?.shape ?? 'section that ends'} here, a ${theirs?.shape ?? 'section that ends'} at ${at((theirs ?? other).line)}, ${named(other)}`)];
		}
		const pieces = section.blocks.flatMap((block) => block.pieces);
		const others = other.blocks.flatMap((block) => block.pieces);
		return pieces.flatMap((piece, number) => {
			const twin = others[number]!;
			const twins = { ...twin, traits: { ...twin.traits, links: twin.traits.links.map(asInOriginal) } };
			return changes(piece, twins).map((change) => problem(piece.line, `${named(section)}, ${piece.place}`, `${change} at ${at(twin.line)}, ${named(other)}`));
		});
	});
}

const levels = (sections: Section[]) => sections.map(({ level }) => level).join();

/** What tells a section from the others, in every language. */
const fingerprint = (section: Section | undefined) => section && JSON.stringify([section.level, section.blocks.map(({ shape, pieces }) => [shape, pieces.map(({ traits }) => [traits.lines, [...traits['code spans']].sort()])])]);

function changes(piece: Piece, twin: Piece): string[] {
	const traits = Object.keys(piece.traits) as Array<keyof Traits>;
	const changed = traits.flatMap((trait) => {
		const [mine, theirs] = [piece.traits[trait], twin.traits[trait]];
		const [lost, added] = [lacking(mine, theirs), lacking(theirs, mine)];
		return lost.length + added.length === 0 ? [] : [`${trait} ${shown(lost)} here, ${shown(added)}`];
	});
	const [figures, others] = [piece, twin].map(({ alternatives }) => alternatives.flatMap((text) => text.match(/(?<![\p{L}\d])\d+/gu) ?? []).join());
	if (figures !== others || piece.alternatives.length !== twin.alternatives.length) changed.push(`alternative text '${piece.alternatives.join()}' here, '${twin.alternatives.join()}'`);
	if (twin.alternatives.some((text) => piece.alternatives.includes(text))) changed.push(`alternative text '${piece.alternatives.join()}' here, and not translated`);
	return changed;
}

/** What is in the first list, but not, or not as often, in the second. */
function lacking(list: string[], other: string[]): string[] {
	const left = [...other];
	return list.filter((each) => {
		const place = left.indexOf(each);
		if (place !== -1) left.splice(place, 1);
		return place === -1;
	});
}

const MOST_SHOWN = 4;

const shown = (list: string[]) => (list.length === 0 ? 'none' : [...list.slice(0, MOST_SHOWN), ...(list.length > MOST_SHOWN ? ['…'] : [])].join(', '));
