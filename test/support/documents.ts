import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parseDocument } from 'htmlparser2';
import type { Tokens } from 'marked';

import { blocksOf, headingsOf, tokensOf } from './markdown';

const ROOT = path.resolve(__dirname, '../..');

/** What is made or fetched, and what other people wrote. */
const NOT_OURS = new Set(['node_modules', '.git', '.cache', '.demo', 'dist']);

/** Every file of the project, from its root, with `/` between folders. */
export const FILES = filesIn('');

function filesIn(folder: string): string[] {
	return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
		const name = path.posix.join(folder, entry.name);
		// A second name of a document: its links are those of the place where it is.
		if (NOT_OURS.has(entry.name) || entry.isSymbolicLink()) return [];
		return entry.isDirectory() ? filesIn(name) : [name];
	});
}

/** Every document of the project, whichever they are. */
export const DOCUMENTS = FILES.filter((file) => file.endsWith('.md'));

export const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** What stands in backticks within the text. */
export function spansOf(markdown: string): string[] {
	return tokensOf(markdown)
		.filter((token): token is Tokens.Codespan => token.type === 'codespan')
		.map(({ text }) => text);
}

/** Where links and pictures point to, those in HTML included. */
export function targetsOf(markdown: string): string[] {
	return tokensOf(markdown).flatMap((token) => {
		if (token.type === 'link' || token.type === 'image') return [token.href as string];
		return token.type === 'html' ? targetsInHtml(token.raw) : [];
	});
}

interface Element {
	attribs?: Record<string, string>;
	children?: Element[];
}

function targetsInHtml(html: string): string[] {
	const targets = ({ attribs = {}, children = [] }: Element): string[] => {
		const sources = (attribs.srcset ?? '').split(',').map((source) => source.trim().split(/\s+/)[0] ?? '');
		return [attribs.href ?? '', attribs.src ?? '', ...sources, ...children.flatMap(targets)].filter((target) => target !== '');
	};
	return targets(parseDocument(html) as Element);
}

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
export function missingPaths(markdown: string, file: string, created: string[] = []): string[] {
	return spansOf(markdown).flatMap((span) => {
		if (created.includes(span)) return [];
		if (NAME_OF_FILE.test(span)) return FILES.some((each) => path.posix.basename(each) === span) ? [] : [`no file is called ${span}`];
		if (!span.includes('/') || !PATH.test(span)) return [];
		// Made by a command: what makes it names it.
		if (span.startsWith('.cache/')) return isNamedInCode(`'${path.posix.basename(span)}'`) ? [] : [`${span}: nothing makes it`];
		const places = [span, path.posix.join(path.posix.dirname(file), span)];
		return places.some((place) => existsSync(path.join(ROOT, place))) ? [] : [`${span} is not there`];
	});
}

const ENVIRONMENT_VARIABLE = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z][A-Z0-9]+(?==))(?:=.*)?$/;

/** Settings of which README says that n8n does not have them any more. */
const GONE = ['QUEUE_WORKER_MAX_STALLED_COUNT'];

/** Environment variables in backticks that no code knows. */
export function unknownVariables(markdown: string): string[] {
	const names = spansOf(markdown).flatMap((span) => ENVIRONMENT_VARIABLE.exec(span)?.[1] ?? []);
	return names.filter((name) => !GONE.includes(name) && !isNamedInCode(name)).map((name) => `no code knows ${name}`);
}

let code: string[] | undefined;

function isNamedInCode(text: string): boolean {
	// Not the test's own examples of what is not there.
	code ??= FILES.filter((file) => !file.endsWith('.md') && file !== 'test/package/docs.test.ts' && !/(^|\/)(package-lock|pnpm-lock)|\.(png|svg)$/.test(file)).map(textOf);
	return code.some((each) => each.includes(text));
}

/** Commands that a document tells its reader to type: the lines of its shell blocks, and what begins with `npm` in backticks. */
export function commandsOf(markdown: string): string[] {
	const lines = blocksOf(markdown)
		.filter(({ language }) => ['bash', 'sh', 'shell', 'console'].includes(language))
		.flatMap(({ text }) => text.split('\n'));
	const spans = spansOf(markdown).filter((span) => /^(npm|npx|git|curl) [a-z]/.test(span));
	return [...lines, ...spans].map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

/** Options in backticks without their command: `-- --port`, `--latency`. */
export function looseOptionsOf(markdown: string): string[] {
	return spansOf(markdown)
		.filter((span) => /^(-- )?--?[a-z]/.test(span))
		.flatMap((span) => optionsIn(span.split(' ')));
}

const optionsIn = (words: string[]) => words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split('=')[0]!);

const scripts = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts;

/** Scripts of package.json that are programs of the project, and not tools with their own ways. */
export const OWN_SCRIPTS = Object.keys(scripts).filter((name) => scripts[name]!.startsWith('node scripts/'));

const helps = new Map<string, string>();

/** What `npm run <script> -- --help` prints. @throws if it fails */
export function helpOf(script: string): string {
	const known = helps.get(script) ?? execFileSync('npm', ['run', '--silent', script, '--', '--help'], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
	helps.set(script, known);
	return known;
}

const knows = (help: string, option: string) => new RegExp(`(^|[\\s,(])${option}([\\s,.=]|$)`, 'm').test(help);

let npmOptions: Set<string> | undefined;

/** Whether npm has the option: all of its settings are options. */
function npmKnows(option: string): boolean {
	npmOptions ??= new Set(Object.keys(JSON.parse(execFileSync('npm', ['config', 'ls', '-l', '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) as object));
	return npmOptions.has(option.replace(/^--(no-)?/, ''));
}

/** Options without a command that neither a script of the project nor npm has. */
export function unknownLooseOptions(markdown: string): string[] {
	return looseOptionsOf(markdown)
		.filter((option) => !npmKnows(option) && !OWN_SCRIPTS.some((script) => knows(helpOf(script), option)))
		.map((option) => `nothing has an option ${option}`);
}

/** What npm commands a document may name beside scripts: they are npm's, and exist. */
const OF_NPM = new Set(['ci', 'install', 'pack', 'version', 'audit', 'publish']);

/** What is wrong with a command: a script that is not there, an option that its help does not know. */
export function commandProblems(command: string): string[] {
	return command.split(/\s+&&\s+/).flatMap((each) => {
		const words: string[] = each.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
		const [program, verb = '', name = ''] = words;
		if (program === 'curl' || program === 'git' || program === 'sha256sum' || program === 'npx') return [];
		if (program !== 'npm') return [`${each}: no test knows how to check ${program}`];
		if (OF_NPM.has(verb)) return optionsIn(words).filter((option) => !npmKnows(option)).map((option) => `${each}: npm has no option ${option}`);
		const script = verb === 'run' ? name : verb;
		if (!['run', 'start', 'test'].includes(verb) || !(script in scripts)) return [`${each}: package.json has no script ${script}`];
		const dashes = words.indexOf('--');
		const given = dashes === -1 ? [] : words.slice(dashes + 1);
		if (dashes === -1 && optionsIn(words).length > 0) return [`${each}: npm keeps options that do not come after --`];
		if (!OWN_SCRIPTS.includes(script)) return [];
		const unknown = optionsIn(given).filter((option) => !knows(helpOf(script), option));
		const missing = script === 'test' ? given.filter((word) => !word.startsWith('-') && !existsSync(path.join(ROOT, word))) : [];
		return [...unknown.map((option) => `${each}: its help does not know ${option}`), ...missing.map((word) => `${each}: ${word} is not there`)];
	});
}
