/** Ends each of several lines with a period, because n8n's error panel shows them as one. */
export function joinSentences(lines: string[]): string {
	const sentences = lines.filter((line) => line !== '');
	if (sentences.length < 2) return sentences.join('');
	return sentences.map((line) => (/[.!?…)]$/.test(line) ? line : `${line}.`)).join('\n');
}

/** "1 second", "2 seconds". */
export function formatSeconds(ms: number): string {
	const count = Math.round(ms / 1_000);
	return `${count} second${count === 1 ? '' : 's'}`;
}

/** The beginning of a text, copied: of a slice, V8 would keep the whole text in memory. */
export function beginningOf(text: string, length: number): string {
	return Buffer.from(text.slice(0, length)).toString();
}
