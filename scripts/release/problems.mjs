import { changelogProblems } from './changelog.mjs';

/** What stands in for the owner of the repository until there is one. */
export const PLACEHOLDERS = ['n8n-nodes-voice-admin/n8n-nodes-voice-admin', 'n8n-nodes-voice-admin.example'];

/**
 * Why a version must not be published as it is.
 * @param {{ manifest: object, lock: object, changelog: string, now: Date, tag?: string, repository?: string }} release
 *   manifest, lock: package.json and package-lock.json; tag: the tag that asks for the release; repository: the
 *   `owner/name` on GitHub that publishes
 * @returns {string[]} a sentence for each reason; none if nothing is in the way
 */
export function problemsOf({ manifest, lock, changelog, now, tag, repository }) {
	const { version } = manifest;
	if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version ?? '')) {
		return [`package.json has the version ${JSON.stringify(version)}: only versions of three numbers, such as 1.2.3, are published.`];
	}
	return [
		...tagProblems(tag, version),
		...lockProblems(lock, version),
		...changelogProblems(changelog, version, now),
		...placeholderProblems(manifest),
		...repositoryProblems(manifest, repository),
	];
}

function tagProblems(tag, version) {
	if (tag === undefined || tag === `v${version}`) return [];
	return [`The tag is ${tag}, but package.json has the version ${version}: the tag has to be v${version}, or the version another.`];
}

function lockProblems(lock, version) {
	const locked = lock.packages?.['']?.version;
	if (lock.version === version && locked === version) return [];
	return [`package-lock.json has the version ${lock.version ?? locked}, package.json ${version}: run npm install --package-lock-only.`];
}

function placeholderProblems(manifest) {
	return ['author', 'homepage', 'repository', 'bugs']
		.filter((field) => PLACEHOLDERS.some((placeholder) => JSON.stringify(manifest[field] ?? '').includes(placeholder)))
		.map((field) => `package.json: "${field}" is a placeholder. Put in the owner's; docs/verification.md lists where else.`);
}

/** npm refuses a provenance statement of another repository than that in package.json, but only as it publishes. */
function repositoryProblems({ repository: own }, repository) {
	if (repository === undefined) return [];
	const named = /github\.com[/:]([^/]+\/[^/]+?)(\.git)?$/.exec(own?.url ?? own ?? '')?.[1];
	if (named === repository) return [];
	return [`package.json names the repository ${named ?? JSON.stringify(own?.url)}, but it is ${repository} that publishes: npm refuses provenance from another one.`];
}
