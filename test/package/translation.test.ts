import path from 'node:path';

import { blocksOf, headingsOf, spansOf, targetsOf, textOf } from './documents';

const ENGLISH = 'README.md';
const ITALIAN = 'docs/it/README.md';

interface Compared {
	heading: string;
	level: number;
	commands: string[];
	/** Where links lead, from the root; to a heading of the same document by its number. */
	links: string[];
	code: string[];
}

/** What must be the same in each section of a document, whatever its language. */
function sectionsOf(markdown: string, file: string): Compared[] {
	const headings = headingsOf(markdown);
	const link = (target: string) => {
		if (target.startsWith('#')) return `heading ${headings.findIndex(({ anchor }) => `#${anchor}` === target)}`;
		return target.includes('://') ? target : path.posix.join(path.posix.dirname(file), target);
	};
	return headings.map(({ raw, body }) => ({
		heading: raw,
		level: raw.indexOf(' '),
		commands: blocksOf(body).map(({ text }) => text),
		links: targetsOf(body).map(link).filter((target) => ![ENGLISH, ITALIAN].includes(target)).sort(),
		code: spansOf(body).sort(),
	}));
}

/** One line for each section that differs, with the heading of the original. */
function differences(english: string, italian: string): string[] {
	const original = sectionsOf(english, ENGLISH);
	const translation = sectionsOf(italian, ITALIAN);
	if (original.length !== translation.length) return [`${original.length} sections in ${ENGLISH}, ${translation.length} in ${ITALIAN}`];
	return original.flatMap(({ heading, ...section }, index) =>
		(Object.keys(section) as Array<keyof typeof section>)
			.filter((part) => JSON.stringify(section[part]) !== JSON.stringify(translation[index]![part]))
			.map((part) => `${heading}: ${part} ${JSON.stringify(section[part])}, in ${ITALIAN} ${JSON.stringify(translation[index]![part])}`),
	);
}

test(`${ITALIAN} has the sections, commands, links and code of ${ENGLISH}, and each links to the other`, () => {
	expect(differences(textOf(ENGLISH), textOf(ITALIAN))).toEqual([]);
	expect(targetsOf(textOf(ENGLISH))).toContain(ITALIAN);
	expect(targetsOf(textOf(ITALIAN))).toContain('../../README.md');
});

test.each([
	['a section that is missing', '# A\n\n## B', '# A', '2 sections in README.md, 1 in docs/it/README.md'],
	['a heading of another level', '# A\n\n## B', '# A\n\n### B', '## B: level 2, in docs/it/README.md 3'],
	['another command', '# A\n\n```bash\nnpm ci\n```', '# A\n\n```bash\nnpm i\n```', '# A: commands ["npm ci"], in docs/it/README.md ["npm i"]'],
	['a link to another file', '# A\n\n[x](docs/a.md)', '# A\n\n[x](../b.md)', '# A: links ["docs/a.md"], in docs/it/README.md ["docs/b.md"]'],
	['a link to another heading', '# A\n\n[x](#a)\n\n# B', '# A\n\n[x](#bi)\n\n# Bi', '# A: links ["heading 0"], in docs/it/README.md ["heading 1"]'],
	['another option', '# A\n\n`--once`', '# A\n\n`--port`', '# A: code ["--once"], in docs/it/README.md ["--port"]'],
])('this test notices %s', (_, english, italian, problem) => {
	expect(differences(english, italian)).toEqual([problem]);
});
