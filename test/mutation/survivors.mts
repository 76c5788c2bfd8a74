import { readFileSync } from 'node:fs';
import path from 'node:path';

/** As much of StrykerJS's report as is read here. */
interface Report {
	files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
	replacement?: string;
	status: string;
	/** Whether its code runs when a module is loaded. */
	static?: boolean;
	location: Record<'start' | 'end', { line: number; column: number }>;
}

const read = <T,>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

const report = read<Report>(process.argv[2] ?? '.cache/mutation/report.json');

/** Why mutants need not be noticed, and which: by their file and the code of the line that they begin in, whose number may change. */
const byReason = Object.entries(read<Record<string, string[]>>(path.join(import.meta.dirname, 'survivors.json')));
const reasons = Object.fromEntries(byReason.flatMap(([reason, keys]) => keys.map((key) => [key, reason])));

/** A text of several lines as one. */
const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100);

/** What stands in the source in place of a mutant. Lines and columns begin with 1. */
function originalOf(code: string[], { location: { start, end } }: Mutant): string {
	const lines = code.slice(start.line - 1, end.line);
	lines.push(lines.pop()!.slice(0, end.column - 1));
	lines[0] = lines[0]!.slice(start.column - 1);
	return short(lines.join('\n'));
}

// What runs when a module is loaded was not tried: StrykerJS knows no tests of it, but for those that load it again.
const tried = Object.entries(report.files)
	.flatMap(([file, { source, mutants }]) => {
		const code = source.split('\n');
		return mutants
			.filter((mutant) => !mutant.static)
			.map((mutant) => {
				const { line } = mutant.location.start;
				const key = `${file.replace('nodes/VoiceAdmin/', '')}: ${short(code[line - 1]!.trim())}`;
				const where = `${file}:${line} ${originalOf(code, mutant)} → ${short(mutant.replacement ?? '')}`;
				const isNoticed = ['Killed', 'Timeout'].includes(mutant.status);
				const isTried = isNoticed || ['Survived', 'NoCoverage'].includes(mutant.status);
				return { folder: path.posix.dirname(file), key, where, isNoticed, isTried };
			});
	})
	.filter(({ isTried }) => isTried);

const folders = [...new Set(tried.map(({ folder }) => folder))].sort();
console.log('| Folder | Noticed | All | |\n|---|---|---|---|');
for (const each of folders) {
	const all = tried.filter(({ folder }) => folder === each);
	const noticed = all.filter(({ isNoticed }) => isNoticed).length;
	console.log(`| \`${each}\` | ${noticed} | ${all.length} | ${Math.floor((noticed / all.length) * 100)} % |`);
}

const survivors = tried.filter(({ isNoticed }) => !isNoticed);
console.log(
	`\nNot noticed:\n\n${survivors.map(({ where, key }) => `- \`${where}\`: ${reasons[key] ?? 'NO REASON'}`).join('\n')}`,
);
const withoutReason = survivors.filter(({ key }) => !(key in reasons));
const gone = Object.keys(reasons).filter((key) => !survivors.some((each) => each.key === key));
const open = [...new Set(withoutReason.map(({ key }) => key))];
console.log(`\n${withoutReason.length} without a reason:\n\n${JSON.stringify(open, null, '\t')}`);
if (gone.length > 0)
	console.log(`\nNoticed, or not in this report:\n\n${gone.map((key) => `- \`${key}\``).join('\n')}`);
