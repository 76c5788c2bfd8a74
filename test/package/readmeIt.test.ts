import path from 'node:path';

import { textOf } from '../support/documents';
import { ENGLISH, FIGURE, ITALIAN, outlineOf } from '../support/outline';
import { differences } from '../support/translation';

const english = (markdown: string) => ({ file: 'README.md', sections: outlineOf(markdown, ENGLISH) });
const italian = (markdown: string) => ({ file: 'docs/README.it.md', sections: outlineOf(markdown, ITALIAN) });

/** Links and pictures as a document in the root has them, where README.md is. */
function asInRoot(markdown: string): string {
	return markdown.replace(/(\]\(|src="|srcset=")(?!https?:|#)([^)"]+)/g, (_, before: string, target: string) => before + path.posix.join('docs', target));
}

const README = textOf('README.md');
const README_IT = asInRoot(textOf('docs/README.it.md'));
const original = english(README);
const translation = italian(README_IT);

test('docs/README.it.md is in step with README.md', () => {
	expect(differences(original, translation)).toEqual([]);
});

test('README.md and docs/README.it.md begin with a link to each other', () => {
	const first = (markdown: string) => markdown.split('\n').slice(1).find((line) => line !== '');
	expect(first(README)).toMatch(/^\[Italiano\]\(docs\/README\.it\.md\)/);
	expect(first(README_IT)).toMatch(/^\[English\]\(README\.md\)/);
});

const changed = (markdown: string, index: number, length: number, text: string) => markdown.slice(0, index) + text + markdown.slice(index + length);

/** The headings of README.md that begin the section with this line, from 1; two, where the line is a heading itself. */
function sectionsAround(line: number): string[] {
	const before = original.sections.filter((section) => section.line <= line);
	return before.slice(-2).map(({ heading }) => `section '${heading}'`);
}

test('whichever line README.md loses, docs/README.it.md is behind, and the message names its section', () => {
	const lines = README.split('\n');
	for (const [index, line] of lines.entries()) {
		// Browsers close a picture by themselves.
		if (line === '' || line === '</picture>') continue;
		const problems = differences(english(lines.filter((_, each) => each !== index).join('\n')), translation);
		const named = sectionsAround(index + 1).some((section) => problems[0]?.includes(section));
		expect(`${index + 1}: ${line}: ${named ? 'named' : problems.join('\n')}`).toBe(`${index + 1}: ${line}: named`);
	}
});

test('whichever figure changes in README.md, docs/README.it.md is behind, and one message names its section', () => {
	// The numbers of a list's items are made anew by whoever shows it.
	const figures = [...README.matchAll(FIGURE)].filter(({ 0: figure, index }) => !README.startsWith(`\n${figure}. `, index - 1));
	expect(figures.length).toBeGreaterThan(150);
	for (const { 0: figure, index } of figures) {
		const line = README.slice(0, index).split('\n').length;
		const other = figure.slice(0, -1) + String((Number(figure.at(-1)) + 1) % 10);
		const problems = differences(english(changed(README, index, figure.length, other)), translation);
		expect(problems).toEqual([expect.stringContaining(`, ${sectionsAround(line).at(-1)}, `)]);
	}
}, 120_000);

describe('this test notices', () => {
	const table = (...cells: string[]) => `| a | b |\n|---|---|\n| ${cells.join(' | ')} |`;
	const code = (...lines: string[]) => ['```bash', ...lines, '```'].join('\n');

	test.each<[string, string, string, string]>([
		['a section that is missing', '# A\n\n## B\n\n`b`\n\n## C\n\n`c`', '# A\n\n## Ci\n\n`c`', "README.md:3, section 'B': docs/README.it.md:3 has section 'Ci' in its place, and 2 sections, not 3; bring docs/README.it.md in step"],
		['a section at the end that is gone', '# A', '# A\n\n## B', "README.md:1, the end: docs/README.it.md:3 has section 'B' in its place, and 2 sections, not 1; bring docs/README.it.md in step"],
		['a heading of another level', '# A\n\n## B', '# A\n\n### Bi', "README.md:3, section 'B': docs/README.it.md:3 has section 'Bi' in its place, and 2 sections, not 2; bring docs/README.it.md in step"],
		['a code block that is missing', `# A\n\n${code('npm start')}\n\nx`, '# Ai\n\nx', "README.md:3, section 'A': a code block here, a paragraph at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['a line of code that is another', `# A\n\n${code('npm ci', 'npm start')}`, `# Ai\n\n${code('npm ci', 'npm test')}`, "README.md:3, section 'A', code block 1: lines 2: npm start here, 2: npm test at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['code in another language', `# A\n\n${code('x')}`, `# Ai\n\n${code('x').replace('bash', 'sh')}`, "README.md:3, section 'A', code block 1: language bash here, sh at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['a paragraph that is missing', '# A\n\nx\n\ny', '# Ai\n\nx', "README.md:5, section 'A': a paragraph here, a section that ends at docs/README.it.md:1, section 'Ai'; bring docs/README.it.md in step"],
		['a row that is missing', `# A\n\n${table('x', 'y')}\n| x | y |`, `# Ai\n\n${table('x', 'y')}`, "README.md:3, section 'A': a table of 2 columns and 2 rows here, a table of 2 columns and 1 rows at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['an item that is missing', '# A\n\n- x\n- y', '# Ai\n\n- x', "README.md:3, section 'A': a list of 2 items here, a list of 1 items at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['a figure in a table', `# Speed\n\n${table('x', '2.6')}`, `# Velocità\n\n${table('x', '2,4')}`, "README.md:5, section 'Speed', table 1, row 1, column 2: figures 2.6 here, 2.4 at docs/README.it.md:5, section 'Velocità'; bring docs/README.it.md in step"],
		['a figure in the second item of a list', '# A\n\n- x\n- 1 of 2', '# Ai\n\n- x\n- 1 su 3', "README.md:4, section 'A', list 1, item 2: figures 2 here, 3 at docs/README.it.md:4, section 'Ai'; bring docs/README.it.md in step"],
		['code in a sentence', '# A\n\n`--port` and `--help`', '# Ai\n\n`--help` e `--host`', "README.md:3, section 'A', paragraph 1: code spans --port here, --host at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['a name of the editor', '# A\n\n*Save* tests it, for *once*', '# Ai\n\n*Salva* la verifica, per *una volta*', "README.md:3, section 'A', paragraph 1: names in italics Save here, Salva at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['a sentence that is new', '# A\n\nx, e.g. y. Two. Three.', '# Ai\n\nx, ad es. y. Due.', "README.md:3, section 'A', paragraph 1: sentences 3 here, 2 at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['a link to another file', '# A\n\n[x](a.md)', '# Ai\n\n[x](b.md)', "README.md:3, section 'A', paragraph 1: links a.md here, b.md at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['a link to another section', '# A\n\n[x](#b)\n\n# B', '# Ai\n\n[x](#ai)\n\n# Bi', "README.md:3, section 'A', paragraph 1: links #b here, #a at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['another picture', '# A\n\n![x](a.svg)', '# Ai\n\n![y](b.svg)', "README.md:3, section 'A', paragraph 1: pictures a.svg here, b.svg at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['another picture in HTML', '# A\n\n<img src="a.png" alt="x" width="1">', '# Ai\n\n<img src="a.png" alt="y" width="2">', "README.md:3, section 'A', html 1: elements img src=a.png width=1 here, img src=a.png width=2 at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
		['an alternative text in English', '# A\n\n<img src="a.png" alt="x">', '# Ai\n\n<img src="a.png" alt="x">', "README.md:3, section 'A', html 1: alternative text 'x' here, and not translated at docs/README.it.md:3, section 'Ai'; bring docs/README.it.md in step"],
	])('%s', (_, mine, theirs, problem) => {
		expect(differences(english(mine), italian(theirs))).toEqual([problem]);
	});

	test.each<[string, string, string]>([
		['figures that are written as in Italian', '1,000 at 2.6, 10,000 at 5 %', '1.000 a 2,6, 10.000 al 5%'],
		['versions, which are the same everywhere', 'n8n 2.8.4, Node 20.19', 'n8n 2.8.4, Node 20.19'],
		['what comes in another order', '`a` of `b`, 1 of 2', '`b`: `a`, su 2, 1'],
		['code that is named once more', '`a`, and it', '`a`, e `a`'],
		['a link to the other language', '[Italiano](docs/README.it.md)', '[English](README.md)'],
	])('but not %s', (_, mine, theirs) => {
		expect(differences(english(`# A\n\n${mine}`), italian(`# Ai\n\n${theirs}`))).toEqual([]);
	});
});
