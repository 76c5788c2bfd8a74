/** Ends each of several lines with a period, because n8n's error panel shows them as one. */
export function joinSentences(lines: string[]): string {
	const sentences = lines.filter((line) => line !== '');
	if (sentences.length < 2) return sentences.join('');
	return sentences.map((line) => (/[.!?…]\)?$/.test(line) ? line : `${line}.`)).join('\n');
}

/** Adds a sentence to a message, as n8n shows only the message at first. */
export function appendSentence(message: string, sentence: string): string {
	return sentence === '' ? message : `${message.replace(/\.$/, '')}. ${sentence}`;
}

/** "1 second", "2 seconds"; of more than three minutes or hours, "4 minutes" and "10 hours". */
export function formatDuration(ms: number): string {
	const seconds = Math.round(ms / 1_000);
	const [count, unit] =
		seconds > 3 * 3_600
			? [Math.round(seconds / 3_600), 'hour']
			: seconds > 3 * 60
				? [Math.round(seconds / 60), 'minute']
				: [seconds, 'second'];
	return countOf(count, unit);
}

/** "1 item", "2 items". */
export function countOf(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The beginning of a text, copied: of a slice, V8 would keep the whole text in memory. */
export function beginningOf(text: string, length: number): string {
	return Buffer.from(text.slice(0, length)).toString();
}
