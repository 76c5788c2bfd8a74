import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../scripts/run';
import { blocksOf, FILES, headingsOf, spansOf, targetsOf, textOf } from './documents';

/**
 * Links and pictures that lead nowhere. Addresses on the internet are not fetched: they have to be addresses.
 * @param file where the document is, from the root
 */
export function brokenTargets(markdown: string, file: string): string[] {
	return targetsOf(markdown).flatMap((target) => {
		if (/^(https?|mailto):/.test(target)) return URL.canParse(target) ? [] : [`${target} is no address`];
		const [relative = '', anchor] = decodeURI(target).split('#', 2);
		const linked = relative === '' ? file : path.posix.normalize(path.posix.join(path.posix.dirname(file), relative));
		if (!existsSync(path.join(ROOT, linked))) return [`${target} is not there`];
		if (anchor === undefined) return [];
		const anchors = headingsOf(linked === file ? markdown : textOf(linked)).map((heading) => heading.anchor);
		return anchors.includes(anchor) ? [] : [`${target}: ${linked} has no heading #${anchor}`];
	});
}

const NAME_OF_FILE = /^\.?[\w-]+(\.[\w-]+)*\.(json|js|cjs|mjs|mts|ts|yml|yaml|md|svg|png|sh|example)$/;
const PATH = /^\.?[\w-][\w.-]*(\/[\w.-]+)*\/?$/;

/**
 * Paths in backticks that the repository does not have. What has a slash, or the ending of a file, is taken for one.
 * @param created paths that the document tells its reader to make
 */
export function missingPaths(markdown: string, file: string): string[] {
	return spansOf(markdown).flatMap((span) => {
		if (NAME_OF_FILE.test(span)) return FILES.some((each) => path.posix.basename(each) === span) ? [] : [`no file is called ${span}`];
		if (!span.includes('/') || !PATH.test(span)) return [];
		// Made by a command: what makes it names it.
		if (span.startsWith('.cache/')) return isNamedInCode(`'${path.posix.basename(span)}'`) ? [] : [`${span}: nothing makes it`];
		// A value of the API, in what is made of the sources.
		if (file === 'docs/operations.md' && isNamedInCode(`'${span}'`)) return [];
		const places = [span, path.posix.join(path.posix.dirname(file), span)];
		return places.some((place) => existsSync(path.join(ROOT, place))) ? [] : [`${span} is not there`];
	});
}

const ENVIRONMENT_VARIABLE = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z][A-Z0-9]+(?==))(?:=.*)?$/;

/** Environment variables in backticks that no code knows. */
export function unknownVariables(markdown: string): string[] {
	const names = spansOf(markdown).flatMap((span) => ENVIRONMENT_VARIABLE.exec(span)?.[1] ?? []);
	return names.filter((name) => !isNamedInCode(name)).map((name) => `no code knows ${name}`);
}

/** The project's programs and settings, without the examples of what is not there in the test of these checks. */
const code = FILES.filter((file) => !/\.(md|png|svg)$|(^|\/)(package-lock|pnpm-lock)/.test(file) &&
	file !== 'test/package/docs.test.ts').map(textOf);

const isNamedInCode = (text: string): boolean => code.some((each) => each.includes(text));

/** Commands that a document tells its reader to type: the lines of its shell blocks, and what begins with `npm` in backticks. */
export function commandsOf(markdown: string): string[] {
	const lines = blocksOf(markdown)
		.filter(({ language }) => ['bash', 'sh', 'shell', 'console'].includes(language))
		.flatMap(({ text }) => text.split('\n'));
	const spans = spansOf(markdown).filter((span) => /^(npm|npx|git|curl) [a-z]/.test(span));
	return [...lines, ...spans].map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

const optionsIn = (words: string[]) => words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split('=')[0]!);

const scripts = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts;

/** Scripts of package.json that are programs of the project, and not tools with their own ways. */
export const OWN_SCRIPTS = Object.keys(scripts).filter((name) => scripts[name]!.startsWith('node scripts/'));

const printed = (program: string, ...words: string[]): string => execFileSync(program, words,
	{ cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });

const helps = new Map<string, string>();

/** What `npm run <script> -- --help` prints, without npm, which takes as long again. @throws if it fails */
export function helpOf(script: string): string {
	const help = helps.get(script) ?? printed(process.execPath, ...scripts[script]!.split(' ').slice(1), '--help');
	helps.set(script, help);
	return help;
}

const knows = (help: string, option: string) => new RegExp(`(^|[\\s,(])${option}([\\s,.=]|$)`, 'm').test(help);

/** All of npm's settings are options. */
const npmOptions = new Set(Object.keys(JSON.parse(printed('npm', 'config', 'ls', '-l', '--json')) as object));

const npmKnows = (option: string): boolean => npmOptions.has(option.replace(/^--(no-)?/, ''));

/** Options in backticks without their command (`-- --port`, `--latency`) that neither a script of the project nor npm has. */
export function unknownLooseOptions(markdown: string): string[] {
	return spansOf(markdown)
		.filter((span) => /^(-- )?--?[a-z]/.test(span))
		.flatMap((span) => optionsIn(span.split(' ')))
		.filter((option) => !npmKnows(option) && !OWN_SCRIPTS.some((script) => knows(helpOf(script), option)))
		.map((option) => `nothing has an option ${option}`);
}

/** What npm commands a document may name beside scripts: they are npm's, and exist. */
const OF_NPM = new Set(['ci', 'install', 'uninstall', 'pack', 'version', 'audit', 'publish', 'view']);

/** What is wrong with a command: a script that is not there, an option that its help does not know. */
export function commandProblems(command: string): string[] {
	return command.split(/\s+&&\s+/).flatMap((each) => {
		const words: string[] = each.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
		const [program, verb = '', name = ''] = words;
		if (program === 'curl' || program === 'git' || program === 'sha256sum' || program === 'npx') return [];
		if (program !== 'npm') return [`${each}: no test knows how to check ${program}`];
		if (OF_NPM.has(verb)) return optionsIn(words).filter((option) => !npmKnows(option))
			.map((option) => `${each}: npm has no option ${option}`);
		const script = verb === 'run' ? name : verb;
		if (!['run', 'start', 'test'].includes(verb) || !(script in scripts)) return [`${each}: package.json has no script ${script}`];
		const dashes = words.indexOf('--');
		const given = dashes === -1 ? [] : words.slice(dashes + 1);
		if (dashes === -1 && optionsIn(words).length > 0) return [`${each}: npm keeps options that do not come after --`];
		if (!OWN_SCRIPTS.includes(script)) return [];
		const unknown = optionsIn(given).filter((option) => !knows(helpOf(script), option));
		const files = script === 'test' ? given.filter((word, index) => !word.startsWith('-') && given[index - 1] !== '--n8n-line') : [];
		const missing = files.filter((file) => !existsSync(path.join(ROOT, file)));
		return [...unknown.map((option) => `${each}: its help does not know ${option}`),
			...missing.map((word) => `${each}: ${word} is not there`)];
	});
}
