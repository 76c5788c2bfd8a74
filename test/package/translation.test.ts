import path from 'node:path';

import { blocksOf, headingsOf, spansOf, targetsOf, textOf } from './documents';

const ENGLISH = 'README.md';
const ITALIAN = 'docs/it/README.md';
/** The one section that README leaves to docs/operations.md, which is in English. */
const CODES = 'codici';

/** What must be the same in each section of a document, whatever its language. */
function sectionsOf(markdown: string, file: string) {
	const headings = headingsOf(markdown).filter(({ anchor }) => anchor !== CODES);
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
