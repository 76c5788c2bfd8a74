import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../scripts/run';
import { blocksOf, headingsOf, type Section, spansOf, targetsOf, textOf } from './documents';

const ENGLISH = 'README.md';
const ITALIAN = 'docs/it/README.md';

/** What must be the same in each section of a document, whatever its language. */
function sectionsOf(markdown: string, file: string) {
	const headings = headingsOf(markdown);
	/** Where a link leads, from the root; to a heading of the same document by its number. */
	const link = (target: string) => {
		if (target.startsWith('#')) return `heading ${headings.findIndex(({ anchor }) => `#${anchor}` === target)}`;
		return target.includes('://') ? target : path.posix.join(path.posix.dirname(file), target);
	};
	return headings.map(({ raw, body }, index) => ({
		section: index + 1,
		level: raw.indexOf(' '),
		commands: blocksOf(body).map(({ text }) => text),
		links: targetsOf(body).map(link).filter((target) => ![ENGLISH, ITALIAN].includes(target)).sort(),
		code: spansOf(body).sort(),
	}));
}

test(`${ITALIAN} has the sections, commands, links and code of ${ENGLISH}, and each links to the other`, () => {
	expect(sectionsOf(textOf(ITALIAN), ITALIAN)).toEqual(sectionsOf(textOf(ENGLISH), ENGLISH));
	expect(targetsOf(textOf(ENGLISH))).toContain(ITALIAN);
	expect(targetsOf(textOf(ITALIAN))).toContain('../../README.md');
});

test.each([
	['a section that is missing', '# A\n\n## B', '# A'],
	['a heading of another level', '# A\n\n## B', '# A\n\n### B'],
	['another command', '# A\n\n```bash\nnpm ci\n```', '# A\n\n```bash\nnpm i\n```'],
	['a link to another file', '# A\n\n[x](docs/a.md)', '# A\n\n[x](../b.md)'],
	['a link to another heading', '# A\n\n[x](#a)\n\n# B', '# A\n\n[x](#bi)\n\n# Bi'],
	['another option', '# A\n\n`--once`', '# A\n\n`--port`'],
])('this test notices %s', (_, english, italian) => {
	expect(sectionsOf(italian, ITALIAN)).not.toEqual(sectionsOf(english, ENGLISH));
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
	const mark = (text: string, { raw }: Section, index: number) => text.replace(`${raw}\n`, `$&<!-- README.md ${hashes[index]} -->\n`);
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
