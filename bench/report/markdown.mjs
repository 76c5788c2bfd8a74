/**
 * A table of Markdown.
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(head, rows) {
	const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** Paragraphs, tables and headings with an empty line between them; what is undefined is left out. */
export const paragraphs = (...parts) => parts.filter(Boolean).join('\n\n');
