import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { generateOperationsReference } from '../../scripts/docs/operations';
import { ROOT } from '../scripts/run';
import { blocksOf, DOCUMENTS, FILES, headingsOf, spansOf, targetsOf, textOf } from './documents';

const { dirname, join } = path.posix;
const ENGLISH = 'README.md';
const ITALIAN = 'docs/it/README.md';
const isThere = (name: string) => existsSync(path.join(ROOT, name));

/** Links and pictures that lead nowhere. Addresses on the internet are not fetched. */
function brokenTargets(markdown: string, file: string): string[] {
	return targetsOf(markdown)
		.filter((target) => !/^(https?|mailto):/.test(target))
		.flatMap((target) => {
			const [relative = '', anchor] = decodeURI(target).split('#', 2);
			const linked = relative === '' ? file : join(dirname(file), relative);
			if (!isThere(linked)) return [`${target} is not there`];
			if (anchor === undefined) return [];
			const anchors = headingsOf(linked === file ? markdown : textOf(linked)).map((heading) => heading.anchor);
			return anchors.includes(anchor) ? [] : [`${target}: ${linked} has no heading #${anchor}`];
		});
}

/** Paths in backticks that are not there. What begins with a folder of the project, or one beside the document, is taken for one. */
function missingPaths(markdown: string, file: string): string[] {
	const places = (name: string) => [name, join(dirname(file), name)];
	return spansOf(markdown)
		.filter(
			(span) =>
				/^[\w-]+\/[\w./-]*$/.test(span) && places(span.split('/')[0]!).some(isThere) && !places(span).some(isThere),
		)
		.map((span) => `${span} is not there`);
}

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** Scripts of package.json that are programs of the project, and not tools with their own options. */
const OWN_SCRIPTS = Object.keys(scripts).filter((name) => scripts[name]!.startsWith('node scripts/'));

const helps = new Map<string, string>();

/** What `npm run <script> -- --help` prints, without npm, which takes as long again. */
function helpOf(script: string): string {
	const args = [...scripts[script]!.split(' ').slice(1), '--help'];
	const help = helps.get(script) ?? execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
	helps.set(script, help);
	return help;
}

/** What is wrong with the npm scripts that a document tells its reader to run. */
function commandProblems(markdown: string): string[] {
	const lines = blocksOf(markdown)
		.filter(({ language }) => language === 'bash')
		.flatMap(({ text }) => text.split(/\n|&&/));
	return [...lines, ...spansOf(markdown)].flatMap((line) => {
		const [command, named, short, given = ''] =
			/^npm (?:run ([\w:-]+)|(start|test)\b)(?: -- (.*))?/.exec(line.trim()) ?? [];
		const script = named ?? short;
		if (command === undefined || script === undefined) return [];
		if (!(script in scripts)) return [`${command}: package.json has no script ${script}`];
		const words: string[] = given.match(/'[^']*'|\S+/g) ?? [];
		const options = words
			.filter((word) => /^--?[a-z]/.test(word) && OWN_SCRIPTS.includes(script))
			.map((word) => word.split('=')[0]!);
		const unknown = options.filter((option) => !new RegExp(`(^|[\\s,])${option}([\\s,]|$)`, 'm').test(helpOf(script)));
		return [
			...unknown.map((option) => `${command}: its help does not know ${option}`),
			...words
				.filter((word) => word.startsWith('test/') && !isThere(word))
				.map((word) => `${command}: ${word} is not there`),
		];
	});
}

/** What is checked, and what is wrong with a document. */
const CHECKS: Array<[string, (markdown: string, file: string) => string[]]> = [
	['links and shows only what is there', brokenTargets],
	['names only paths that are there', missingPaths],
	['names only npm scripts that are there, with options that they know', commandProblems],
];

describe.each(DOCUMENTS)('%s', (file) => {
	test.each(CHECKS)('%s', (_, problemsOf) => expect(problemsOf(textOf(file), file)).toEqual([]), 300_000);
});

test.each([ENGLISH, ITALIAN])('%s has every version of n8n that is tested in its table', (file) => {
	const { dependencies } = JSON.parse(textOf('runtimes/n8n-core/package.json')) as { dependencies: object };
	const tested = [...readdirSync('runtimes'), ...Object.keys(dependencies)]
		.filter((name) => /^n8n-\d/.test(name))
		.map((name) => name.replace('n8n-', ''));
	const [, ...rows] = textOf(file)
		.match(/^\| n8n +\|.*\n(?:\|.*\n)+/m)![0]
		.trim()
		.split('\n');
	const named = rows.flatMap((row) => row.match(/\d+\.\d+\.\d+/g) ?? []);
	expect(named.sort()).toEqual([...new Set(tested)].sort());
});

test('docs/operations.md is what `npm run docs` writes', () => {
	const isCurrent = textOf('docs/operations.md') === generateOperationsReference();
	expect(isCurrent ? 'current' : 'not current: run `npm run docs`').toBe('current');
});

test.each([
	['code', 'ErrorCode'],
	['outcome', 'Outcome'],
])('docs/operations.md says what each %s means', (name, type) => {
	const source = textOf('nodes/VoiceAdmin/transport/response/classifyFailure.ts');
	const [, values = ''] = new RegExp(`export type ${type} =([^;]*);`).exec(source) ?? [];
	const [, rows = ''] =
		new RegExp(`^\\| \`${name}\` .*\n\\|.*\n((?:\\|.*\n)+)`, 'm').exec(textOf('docs/operations.md')) ?? [];
	const explained = [...rows.matchAll(/^\| `(\w+)`/gm)].map(([, value]) => value);
	expect(explained).toEqual([...values.matchAll(/'(\w+)'/g)].map(([, value]) => value));
	expect(explained.length).toBeGreaterThan(2);
});

/** The one section that README leaves to docs/operations.md, which is in English. */
const CODES = 'codici';

/** What must be the same in each section of a document, whatever its language. */
function sectionsOf(markdown: string, file: string) {
	const headings = headingsOf(markdown).filter(({ anchor }) => anchor !== CODES);
	/** Where a link leads, from the root; to a heading of the same document by its number. */
	const link = (target: string) => {
		if (target.startsWith('#')) return `heading ${headings.findIndex(({ anchor }) => `#${anchor}` === target)}`;
		return target.includes('://') ? target : join(dirname(file), target);
	};
	return headings.map(({ raw, body }, index) => ({
		section: index + 1,
		level: raw.indexOf(' '),
		commands: blocksOf(body).map(({ text }) => text),
		links: targetsOf(body)
			.map(link)
			.filter((target) => ![ENGLISH, ITALIAN].includes(target))
			.sort(),
		code: spansOf(body).sort(),
	}));
}

test(`${ITALIAN} has the sections, commands, links and code of ${ENGLISH}, and each links to the other`, () => {
	expect(sectionsOf(textOf(ITALIAN), ITALIAN)).toEqual(sectionsOf(textOf(ENGLISH), ENGLISH));
	expect(targetsOf(textOf(ENGLISH))).toContain(ITALIAN);
	expect(targetsOf(textOf(ITALIAN))).toContain(`../../${ENGLISH}`);
});

test('each message that docs/errors-and-retries.md explains is in the code', () => {
	const code = FILES.filter((file) => /^(nodes|credentials)\/.*\.ts$/.test(file))
		.map(textOf)
		.join('\n');
	const [, table = ''] = /## Messages\n([^]*?)\n## /.exec(textOf('docs/errors-and-retries.md')) ?? [];
	const messages = [...table.matchAll(/"([^"]+)"/g)].map(([, message]) => message!);
	expect(messages.length).toBeGreaterThan(20);
	expect(messages.filter((message) => !code.includes(message))).toEqual([]);
});
