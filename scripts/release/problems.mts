import { marked } from 'marked';

export interface Section {
	heading: string;
	/** Undefined where the heading names none, as the date. */
	version?: string | undefined;
	date?: string | undefined;
	/** What stands below the heading, as Markdown. */
	text: string;
}

/** A heading of a released version: `0.1.0 - 2026-01-31`, the version in brackets or not. */
const RELEASED = /^\[?(?<version>\d+\.\d+\.\d+)\]?(?:\s+-\s+(?<date>\S.*))?$/;

/** The sections of a changelog in Markdown, one for each heading of the second level. */
export function sectionsOf(changelog: string): Section[] {
	const sections: Section[] = [];
	for (const token of marked.lexer(changelog)) {
		const last = sections.at(-1);
		if (token.type === 'heading' && token.depth === 2) sections.push({ heading: token.text, ...RELEASED.exec(token.text)?.groups, text: '' });
		else if (last) last.text += token.raw;
	}
	return sections.map((section) => ({ ...section, text: section.text.trim() }));
}

/** What is wrong with a changelog for the release of a version, a sentence for each thing. */
export function changelogProblems(changelog: string, version: string, now: Date): string[] {
	const sections = sectionsOf(changelog);
	const [own, ...others] = sections.filter((section) => section.version === version);
	const wanted = `"## ${version} - YYYY-MM-DD", with the day of the release`;
	if (!own) {
		const unreleased = sections.find(({ heading }) => /unreleased/i.test(heading));
		return [`CHANGELOG.md has no section for ${version}: ${unreleased ? `rename its "${unreleased.heading}" to` : 'it has to have'} ${wanted}.`];
	}
	if (others.length > 0) return [`CHANGELOG.md has ${others.length + 1} sections for ${version}: make them one.`];
	const { heading, date, text } = own;
	const problems: string[] = [];
	if (date === undefined) problems.push(`CHANGELOG.md: "${heading}" has no date. Make it ${wanted}.`);
	else if (/unreleased/i.test(date)) problems.push(`CHANGELOG.md: "${heading}" is not released. Make it ${wanted}.`);
	else if (!isDay(date)) problems.push(`CHANGELOG.md: "${date}" is not a day. Make the heading ${wanted}.`);
	else if (isAhead(date, now)) problems.push(`CHANGELOG.md: ${date}, the day of ${version}, is still to come.`);
	if (text === '') problems.push(`CHANGELOG.md says nothing about ${version}: its section is empty.`);
	return problems;
}

function isDay(text: string): boolean {
	const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** East of Greenwich the day begins up to 14 hours earlier. */
const isAhead = (day: string, now: Date) => Date.parse(`${day}T00:00:00Z`) > now.getTime() + 14 * 60 * 60 * 1000;

/** package.json. */
export interface Manifest {
	name: string;
	version: string;
	repository?: string | { url?: string };
	[field: string]: unknown;
}

/** package-lock.json. */
export interface Lock {
	version?: string;
	packages?: Record<string, { version?: string }>;
}

interface Release {
	manifest: Manifest;
	lock: Lock;
	changelog: string;
	now: Date;
	/** That asks for the release. */
	tag?: string | undefined;
	/** The `owner/name` on GitHub that publishes. */
	repository?: string | undefined;
}

/** What stands in for the owner of the repository until there is one. */
const PLACEHOLDERS = ['n8n-nodes-voice-admin/n8n-nodes-voice-admin', 'n8n-nodes-voice-admin.example'];

/** Why a version must not be published as it is: a sentence for each reason; none if nothing is in the way. */
export function problemsOf({ manifest, lock, changelog, now, tag, repository }: Release): string[] {
	const { version } = manifest;
	if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version ?? '')) {
		return [`package.json has the version ${JSON.stringify(version)}: only versions of three numbers, such as 1.2.3, are published.`];
	}
	const problems: string[] = [];
	if (tag !== undefined && tag !== `v${version}`) {
		problems.push(`The tag is ${tag}, but package.json has the version ${version}: rename the tag to v${version}, or change the version.`);
	}
	const locked = lock.packages?.['']?.version;
	if (lock.version !== version || locked !== version) {
		problems.push(`package-lock.json has the version ${lock.version ?? locked}, package.json ${version}: run npm install --package-lock-only.`);
	}
	return [...problems, ...changelogProblems(changelog, version, now), ...placeholderProblems(manifest), ...repositoryProblems(manifest, repository)];
}

function placeholderProblems(manifest: Manifest): string[] {
	return ['author', 'homepage', 'repository', 'bugs']
		.filter((field) => PLACEHOLDERS.some((placeholder) => JSON.stringify(manifest[field] ?? '').includes(placeholder)))
		.map((field) => `package.json: "${field}" is a placeholder. Put in the owner's; docs/verification.md lists where else.`);
}

/** npm refuses a provenance statement of another repository than that in package.json, but only as it publishes. */
function repositoryProblems({ repository: own }: Manifest, repository: string | undefined): string[] {
	const url = typeof own === 'string' ? own : own?.url;
	const named = /github\.com[/:]([^/]+\/[^/]+?)(\.git)?$/.exec(url ?? '')?.[1];
	if (repository === undefined || named === repository) return [];
	return [`package.json names the repository ${named ?? JSON.stringify(url)}, but ${repository} is publishing: npm rejects provenance from a different repository.`];
}
