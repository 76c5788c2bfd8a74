import { marked } from 'marked';

/** A heading of a released version: `0.1.0 - 2026-01-31`, the version in brackets or not. */
const RELEASED = /^\[?(?<version>\d+\.\d+\.\d+)\]?(?:\s+-\s+(?<date>\S.*))?$/;

/**
 * The sections of a changelog, one for each heading of the second level.
 * @param {string} changelog as Markdown
 * @returns {Array<{ heading: string, version?: string, date?: string, text: string }>} version and date are
 *   undefined where the heading names none; text is what stands below the heading, as Markdown
 */
export function sectionsOf(changelog) {
	const sections = [];
	for (const token of marked.lexer(changelog)) {
		if (token.type === 'heading' && token.depth === 2) {
			const { version, date } = RELEASED.exec(token.text)?.groups ?? {};
			sections.push({ heading: token.text, version, date, text: '' });
		} else if (sections.length > 0) {
			sections.at(-1).text += token.raw;
		}
	}
	return sections.map((section) => ({ ...section, text: section.text.trim() }));
}

/**
 * What is wrong with a changelog for the release of a version.
 * @param {string} changelog
 * @param {string} version
 * @param {Date} now
 * @returns {string[]} a sentence for each thing that is wrong
 */
export function changelogProblems(changelog, version, now) {
	const sections = sectionsOf(changelog);
	const own = sections.filter((section) => section.version === version);
	const wanted = `"## ${version} - YYYY-MM-DD", with the day of the release`;
	if (own.length === 0) {
		const unreleased = sections.find(({ heading }) => /unreleased/i.test(heading));
		return [`CHANGELOG.md has no section for ${version}: ${unreleased ? `rename its "${unreleased.heading}" to` : 'it has to have'} ${wanted}.`];
	}
	if (own.length > 1) return [`CHANGELOG.md has ${own.length} sections for ${version}: make them one.`];
	const [{ heading, date, text }] = own;
	const problems = [];
	if (date === undefined) problems.push(`CHANGELOG.md: "${heading}" has no date. Make it ${wanted}.`);
	else if (/unreleased/i.test(date)) problems.push(`CHANGELOG.md: "${heading}" is not released. Make it ${wanted}.`);
	else if (!isDay(date)) problems.push(`CHANGELOG.md: "${date}" is not a day. Make the heading ${wanted}.`);
	else if (isAhead(date, now)) problems.push(`CHANGELOG.md: ${date}, the day of ${version}, is still to come.`);
	if (text === '') problems.push(`CHANGELOG.md says nothing about ${version}: its section is empty.`);
	return problems;
}

function isDay(text) {
	const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** East of Greenwich the day begins up to 14 hours earlier. */
function isAhead(day, now) {
	return Date.parse(`${day}T00:00:00Z`) > now.getTime() + 14 * 60 * 60 * 1000;
}
