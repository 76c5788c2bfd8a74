/** Words with a special spelling in labels and in names of resources. */
const WRITTEN =
	'API APN BIC BYOC CDR CNAM CSV DID DNS DSS DTMF FCM FQDN HTTP HTTPS IBAN ID IP ISO IVR JSON LATA MMS OTP PBX PDF PIN PSTN RCS SBC SDK ' +
	'SID SIM SIP SMS SRTP SSL STT TCP TLS TOTP TTL TTS UDP URI URL UTC UUID VAT VoIP WhatsApp XML';
const ACRONYMS = new Map(WRITTEN.split(' ').map((word) => [word.toLowerCase(), word]));
const SMALL = new Set(['a', 'an', 'and', 'as', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);
/** Longer descriptions are cut off. */
const MAX_DESCRIPTION = 250;

/** Splits a name such as `sipTrunkId`, `sip-trunk_id` or `SIPTrunk ID` into words, in lowercase ASCII. */
export function wordsOf(name: string): string[] {
	const ascii = name.slice(0, 200).normalize('NFD').replace(/\p{M}/gu, '');
	const apart = ascii
		.replace(/\b(?:[A-Z]{2,}s|Vo ?IP|WhatsApp)\b|(?<=[a-z])IDs\b/g, (word) => ` ${word.toLowerCase()} `)
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
	return apart.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/** `ids` is "IDs". */
const acronym = (word: string) => ACRONYMS.get(word) ?? ACRONYMS.get(word.replace(/s$/, ''))?.concat('s');

/** A label: `sip_trunk_id` is "SIP Trunk ID". */
export const titleCase = (words: string[]) =>
	words.map((word, index) => acronym(word) ?? (index > 0 && index < words.length - 1 && SMALL.has(word) ? word : capitalized(word))).join(' ');

/** The label of a value: `in_progress` is "In Progress"; `en-US`, `iOS` and `WAV` keep their capitals, as far as n8n's lint rules allow. */
export function labelOf(value: string): string {
	if (!/[A-Z]{2}/.test(value) || /^[A-Z]+(?:_[A-Z]+)+$/.test(value)) return titleCase(wordsOf(value));
	return value.replace(/[_\s]+/g, ' ').replace(/(?<![A-Za-z])[a-z](?=[a-z]*(?![A-Za-z]))/g, capitalized);
}

/** In a sentence: "SIP trunk ID". */
export const inSentence = (words: string[]) => words.map((word) => acronym(word) ?? word).join(' ');

/** A TypeScript name: `sipTrunkId`. @returns '' if the words have no letter */
export const camelCase = (words: string[]) =>
	words.map((word, index) => (index > 0 ? capitalized(word) : word)).join('').replace(/^[0-9]+/, '');

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "a customer", "an invoice". */
export const withArticle = (noun: string) =>
	`${/^(?:[aeio]|u(?!ser|ni|rl|ri|tc)|FQDN|HTTP|SBC|SMS|SSL|XML)/.test(noun) ? 'an' : 'a'} ${noun}`;

/** Quotes a text of the document in a message, without control characters. */
export const shown = (text = '') => JSON.stringify(text.slice(0, 80)).replace(/[\p{Cc}\p{Cf}]/gu, '?');

/** Adds the period that descriptions in the editor don't have. */
export const withPeriod = (sentence: string) => sentence.replace(/(?<![.!?])…?$/, '.');

/** A boolean's description in n8n's style: "Whether to notify the customer", or else "Whether … is set" and the document's sentence. */
export function whetherOf(words: string[], meaning: string): string {
	const [, whether] = /^(?:(?:indicates?|determines?|specif(?:y|ies)|controls) (?:whether|if)|whether|true if)(?: or not)? (.+)$/i.exec(meaning) ?? [];
	if (whether) return `Whether ${whether}`;
	const isSet = `Whether ${inSentence(words)} is set`;
	return meaning === '' ? isSet : `${isSet}. ${withPeriod(meaning)}`;
}

/** The first sentence of a description, as plain text: without markup, n8n expressions, and the final period. */
export function sentenceOf(text: unknown): string {
	if (typeof text !== 'string') return '';
	const plain = text
		.slice(0, 2000)
		.replace(/<[^>]*>|[\p{Cc}\p{Cf}]/gu, ' ')
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[`*#|<>]|\{\{|\}\}|\*\//g, ' ')
		.replace(/\s+/g, ' ')
		.replace(/^[\s=:;,.-]+/, '')
		.trim();
	const [first = ''] = plain.split(/(?<=[^.][^.][.!?]) (?=[A-Z])/);
	const cut = first.length > MAX_DESCRIPTION ? `${first.slice(0, MAX_DESCRIPTION).replace(/\s\S*$/, '')}…` : first;
	return capitalized(cut.replace(/[.:;,]$/, '').replace(/\b(?:ids?|urls?|json)\b/gi, (word) => ACRONYMS.get(word.toLowerCase()) ?? word));
}
