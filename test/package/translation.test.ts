import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../scripts/run';
import { blocksOf, headingsOf, type Section, spansOf, targetsOf, textOf } from './documents';

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

/** Stands below a heading of the translation: the hash of the section that it was translated from. */
const MARK = /^<!-- README\.md ([0-9a-f]{8}) -->\n/gm;
const RENEW = 'UPDATE_TRANSLATION=1 npx jest test/package/translation';

const hashOf = ({ raw, body }: Section) => createHash('sha256').update(`${raw}\n${body.trim()}`).digest('hex').slice(0, 8);

/** The headings of sections that have changed since they were translated. */
function outdated(english: string, italian: string): string[] {
	const translated = headingsOf(italian).map(({ body }) => [...body.matchAll(MARK)][0]?.[1]);
	return headingsOf(english).filter((section, index) => hashOf(section) !== translated[index]).map(({ raw }) => raw);
}

function withMarks(english: string, italian: string): string {
	const hashes = headingsOf(english).map(hashOf);
	const markOf = (index: number) => `<!-- README.md ${hashes[index]} -->\n`;
	const mark = (text: string, { raw }: Section, index: number) => text.replace(`${raw}\n`, (heading) => heading + markOf(index));
	return headingsOf(italian).reduce(mark, italian.replace(MARK, ''));
}

test(`every section of ${ITALIAN} says what ${ENGLISH} says today`, () => {
	if (process.env.UPDATE_TRANSLATION) writeFileSync(path.join(ROOT, ITALIAN), withMarks(textOf(ENGLISH), textOf(ITALIAN)));
	expect(outdated(textOf(ENGLISH), textOf(ITALIAN)).map((heading) => `${heading} has changed: translate it, then ${RENEW}`)).toEqual([]);
});

test('this test notices a section that has changed, and one that was never translated', () => {
	const translated = withMarks('# A\n\nx\n\n## B\n\ny', '# A\n\nX\n\n## Bi\n\nY');
	expect(outdated('# A\n\nx\n\n## B\n\ny', withMarks('# A\n\nx\n\n## B\n\ny', translated))).toEqual([]);
	expect(outdated('# A\n\nx\n\n## B\n\nz', translated)).toEqual(['## B']);
	expect(outdated('# A\n\nx\n\n## B\n\ny\n\n## C', translated)).toEqual(['## C']);
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
