/** A level-two heading such as `## 0.1.0 - 2026-01-31`; the version may be in brackets. */
const VERSION_HEADING = /^## \[?(?<version>\d+\.\d+\.\d+)\]?(?: - (?<date>\S.*))?$/;

/** The section of a version in a Markdown changelog. */
export function sectionOf(changelog: string, version: string): { date: string | undefined; text: string } | undefined {
	for (const section of changelog.split(/^(?=## )/m)) {
		const [heading = '', ...lines] = section.split('\n');
		const groups = VERSION_HEADING.exec(heading.trim())?.groups;
		if (groups?.version === version) return { date: groups.date, text: lines.join('\n').trim() };
	}
	return undefined;
}

/** The problems of a changelog for the release of a version. */
function findChangelogProblems(changelog: string, version: string): string[] {
	const section = sectionOf(changelog, version);
	const expectedHeading = `"## ${version} - YYYY-MM-DD", with the day of the release`;
	if (!section) return [`CHANGELOG.md has no section ${expectedHeading}: rename its "Unreleased".`];
	if (!/^\d{4}-\d\d-\d\d$/.test(section.date ?? ''))
		return [`CHANGELOG.md: the heading of ${version} has no day. Make it ${expectedHeading}.`];
	return section.text === '' ? [`CHANGELOG.md says nothing about ${version}: its section is empty.`] : [];
}

/** package.json. */
export interface Manifest extends Partial<Record<'author' | 'homepage' | 'bugs', unknown>> {
	name: string;
	version: string;
	repository?: { url?: string };
}

/** tag: the pushed tag; repository: `owner/name` of the publisher on GitHub */
interface Release {
	manifest: Manifest;
	changelog: string;
	tag?: string | undefined;
	repository?: string | undefined;
}

/** Placeholders for the owner of the repository, until it has one. */
export const PLACEHOLDER = /n8n-nodes-voice-admin\/n8n-nodes-voice-admin|n8n-nodes-voice-admin\.example/;

/** Why a version can't be published as it is: one sentence per problem. */
export function findReleaseProblems({ manifest, changelog, tag, repository }: Release): string[] {
	const { version } = manifest;
	// npm rejects provenance from a repository other than the one in package.json, but only when publishing.
	const url = manifest.repository?.url ?? '';
	const problems = [
		tag !== undefined &&
			tag !== `v${version}` &&
			`The tag is ${tag}, but package.json has the version ${version}: rename the tag to v${version}, or change the version.`,
		...findChangelogProblems(changelog, version),
		...(['author', 'homepage', 'repository', 'bugs'] as const).map(
			(field) =>
				PLACEHOLDER.test(JSON.stringify(manifest[field] ?? '')) &&
				`package.json: "${field}" is a placeholder. Put in the owner's.`,
		),
		repository !== undefined &&
			!url.endsWith(`github.com/${repository}.git`) &&
			`package.json names the repository ${url}, but ${repository} is publishing: npm rejects provenance from a different repository.`,
	];
	return problems.filter((problem) => problem !== false);
}
