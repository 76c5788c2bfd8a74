/** Words with a special spelling in labels and in names of resources. */
const WRITTEN =
	'A2P ACH AMD API APN AVS BIC BYOC CNAM CSV CVV DID EAN EMV GAN IBAN ICCID ID IMEI IMSI IP ISO IVR JSON LATA MP3 NPA OFAC OTP PIN PMI POS SID SIM SIP SKU TOTP ' +
	'UDP URI URL UTC UUID VAT VoIP WAV WhatsApp ZAK OAuth';
const ACRONYMS = new Map(WRITTEN.split(' ').map((word) => [word.toLowerCase(), word]));
/** Abbreviations without a vowel that are read as words. Others are spelled: HLR, PSP, SMS. */
const READ_AS_WORDS =
	/^(?:cfg|cmd|ctrl|ctx|dst|dt|fwd|grp|hdr|hrs?|kg|km|lng|lvl|mrs?|ms|msg|mth|nbr|nd|nr|pct|pkg|ptr|pwd|px|qty|rd|src|srv|st|str|svc|tgt|th|tmp|trx|txn|txt|vs|wk)s?$/;
const SPELLED = /^(https|[b-df-hj-np-tv-xz]{2,3}|[b-df-hj-np-tv-xz]{3,4}?)(\d?|s)$/;
/** Words that names join with "id": "messageid". */
const WITH_ID =
	/\b(account|batch|call|campaign|client|contact|customer|group|item|list|message|order|part|payment|product|session|user)(?=ids?\b)/g;
const SMALL = new Set(['a', 'an', 'and', 'as', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);
export const READING_VERBS =
	'get read retrieve fetch show find view describe list search query return lookup check count'.split(' ');
/** Verbs that only change something: a repeated request creates nothing. Without "enable", which may be billed again. */
export const CHANGING_VERBS = (
	'update edit modify change replace rename delete remove destroy archive unarchive activate deactivate disable pause resume continue stop ' +
	'lock unlock mute unmute hold unhold answer hangup verify validate approve accept decline reject deny cancel dismiss close reopen open mark ' +
	'unmark hide test preview calculate estimate assign unassign attach detach link unlink sync refresh restore void expire parse render convert ' +
	'put patch leave suspend unapply unpost scrub deschedule disconnect'
).split(' ');
const OTHER_VERBS =
	'create add insert make set enable send resend dial play start begin generate run submit register unregister schedule invite upload download ' +
	'import export enqueue join transfer refer extend issue authorize capture charge recharge refund purchase buy subscribe unsubscribe withdraw ' +
	'revoke reset release rotate trigger execute perform process apply email bill amend renew reverse copy clone move merge ' +
	'complete confirm tokenize instruct initiate ping collect provision distribute force terminate share duplicate block unblock bridge publish reschedule redirect';
/** Verbs that names of operations and summaries begin with. */
export const VERBS = new Set([...READING_VERBS, ...CHANGING_VERBS, ...OTHER_VERBS.split(' ')]);
/** Longer descriptions are cut off. */
const MAX_DESCRIPTION = 250;

/** Splits a name such as `sipTrunkId`, `sip-trunk_id` or `SIPTrunk ID` into words, in lowercase ASCII. */
export function wordsOf(name: string): string[] {
	const ascii = name
		.slice(0, 200)
		.replace(/(?<=\w)['’]s\b/g, '')
		.normalize('NFD')
		.replace(/\p{M}/gu, '');
	const apart = ascii
		.replace(
			/\b[A-Z]{2,}(?:s|ed)\b|Vo ?IP(?![a-z])|WhatsApp|OAuth|(?<=[a-z])IDs\b/g,
			(word) => ` ${word.toLowerCase()} `,
		)
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
		.replace(/(?<=[a-z]{3})(?<!\bvoic)(?=(?:url|uri|email)s?\b)/g, ' ');
	return apart
		.toLowerCase()
		.replace(WITH_ID, '$1 ')
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== '');
}

/** `ids` is "IDs". */
function acronym(word: string): string | undefined {
	const [, letters, end = ''] = READ_AS_WORDS.test(word) ? [] : (SPELLED.exec(word) ?? []);
	return (
		ACRONYMS.get(word) ?? ACRONYMS.get(word.replace(/s$/, ''))?.concat('s') ?? (letters && letters.toUpperCase() + end)
	);
}

/** A label: `sip_trunk_id` is "SIP Trunk ID". @param text that may have its words in capitals */
export const titleCase = (words: string[], text = '') =>
	words
		.map(
			(word, index) =>
				acronym(word) ??
				(isInCapitals(word, text)
					? word.toUpperCase()
					: index > 0 && index < words.length - 1 && SMALL.has(word)
						? word
						: capitalized(word)),
		)
		.join(' ');

function isInCapitals(word: string, text: string): boolean {
	const written = text.split(/[^A-Za-z0-9]+/).find((each) => each.toLowerCase() === word);
	return word.length < 6 && !SMALL.has(word) && written === word.toUpperCase() && text !== text.toUpperCase();
}

/** The labels of values: `in_progress` is "In Progress"; `en-US`, `iOS` and `WAV` keep their capitals, as far as n8n's lint rules allow. */
export function labelsOf(values: string[]): string[] {
	// "PENDING" and "NEW" are words; "EUR" and "USD" are not.
	const areWords =
		values.every((value) => /^[A-Z_ ]+$/.test(value)) && values.some((value) => /[_ ]|^.{5}/.test(value));
	return values.map((value) => {
		if (areWords || !/[A-Z]{2}/.test(value) || /^(?:[A-Z]+(?:[_ ][A-Z]+)+|[A-Z]{5,})$/.test(value))
			return titleCase(wordsOf(value));
		return value.replace(/[_\s]+/g, ' ').replace(/(?<![A-Za-z])[a-z](?=[a-z]*(?![A-Za-z]))/g, capitalized);
	});
}

/** In a sentence: "SIP trunk ID". */
export const inSentence = (words: string[]) => words.map((word) => acronym(word) ?? word).join(' ');

/** A TypeScript name: `sipTrunkId`. @returns '' if the words have no letter */
export const camelCase = (words: string[]) =>
	words
		.map((word, index) => (index > 0 ? capitalized(word) : word))
		.join('')
		.replace(/^[0-9]+/, '');

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The infinitive of a verb: "list", of "Lists invoices". */
export const infinitiveOf = (verb: string) =>
	verb
		.toLowerCase()
		.replace(/ies$/, 'y')
		.replace(/(ch|sh|ss|x)es$/, '$1')
		.replace(/(?<=[a-z])(?<!s)s$/, '');

/** A sentence that begins with a verb, in the style of n8n's actions: "Lists all Invoices" is "List all invoices". @returns '' for others */
export function actionOf(sentence: string): string {
	const [, verb = '', object = ''] =
		/^(\w+) (?!of\b)(.{1,70})$/.exec(sentence.replace(/(?<=^\w+) list of /i, ' a list of ')) ?? [];
	if (!VERBS.has(infinitiveOf(verb))) return '';
	const areCapitalized = object.split(' ').every((word) => SMALL.has(word) || !/^[a-z]/.test(word));
	return `${capitalized(infinitiveOf(verb))} ${areCapitalized ? object.replace(/(?<![\w'’])[A-Z](?=[a-z' ]|$)(?![a-z]*[A-Z])/g, (letter) => letter.toLowerCase()) : object}`;
}

/** Inside a sentence: a first word that is all in capitals keeps them. */
const uncapitalized = (text: string) => text.replace(/^[A-Z](?=[a-z' ])/, (letter) => letter.toLowerCase());

/** "a customer", "an invoice". */
export const withArticle = (noun: string) =>
	`${/^(?:[aeio]|u(?!s|ni|rl|ri|tc)|[AEIO]|[FHLMNRSX][B-DF-HJ-NP-TV-XZ])/.test(noun) ? 'an' : 'a'} ${noun}`;

/** Quotes a text of the document in a message, without control characters. */
export const shown = (text = '') => JSON.stringify(text.slice(0, 80)).replace(/[\p{Cc}\p{Cf}]/gu, '?');

/** Adds the period that descriptions in the editor don't have. */
export const withPeriod = (sentence: string) => sentence.replace(/(?<![.!?])…?$/, '.');

/** A boolean's description in n8n's style: "Whether to notify the customer", or else "Whether … is set" and the document's sentence. */
export function whetherOf(words: string[], meaning: string): string {
	const last = words.at(-1)!;
	const [, thing, state = last] =
		/^is (?:the )?(.+) (\w+ed|active|default)$/i.exec(meaning) ??
		(STATE.test(words.join(' ')) ? /^The status of the ([\w ]+)$/.exec(meaning) : null) ??
		[];
	if (thing) return `Whether the ${uncapitalized(thing)} is ${state}`;
	const [, whether] = WHETHER.exec(meaning) ?? [];
	if (DECLARED.test(meaning)) return `Whether ${uncapitalized(meaning)}`;
	const [, toDo] = TO_DO.exec(meaning) ?? [];
	if (toDo) return `Whether to ${uncapitalized(toDo)}`;
	const [, how = '', doing = ''] = /^(\w+ly) (\w+) ./.exec(meaning) ?? [];
	if (SWITCHED.has(doing)) return `Whether to ${uncapitalized(how)} ${meaning.slice(how.length + 1)}`;
	const [, verb = '', object] = /^(\w+)(?:\/disable)? (.+)$/.exec(whether ?? meaning) ?? [];
	const infinitive = infinitiveOf(verb);
	if (SWITCHED.has(infinitive) || (whether && VERBS.has(verb))) return `Whether to ${infinitive} ${object}`;
	if (whether) return `Whether ${uncapitalized(whether)}`;
	const name = inSentence(words);
	// "Payee disabled."
	const [, what] = STATE.test(last) ? (/^(?:the )?((?:\w+ ){1,3})(\w+)$/i.exec(meaning) ?? []) : [];
	if (what && meaning.endsWith(` ${last}`)) return `Whether the ${uncapitalized(what)}is ${last}`;
	const isState = words.length > 1 ? /^(?:disabled|enabled)$/.test(last) : STATE.test(name);
	const isSet = SWITCHED.has(words[0]!)
		? `Whether to ${name}`
		: words[0] === 'is'
			? `Whether it is ${name.slice(3)}`
			: isState
				? `Whether ${inSentence(words.slice(0, -1)) || 'it'} is ${last}`
				: `Whether ${name} is set`;
	return meaning === '' ? isSet : `${isSet}. ${withPeriod(meaning)}`;
}

/** Adjectives that are names of switches. */
const STATE =
	/^(?:active|anonymous|billable|closed|default|editable|free|hidden|live|mandatory|open|optional|primary|private|public|read|required|reusable|test|unread|valid|visible|\w+[^ae]ed)$/;
const WHETHER =
	/^(?:(?:(?:an? )?(?:flag|bool(?:ean)?(?: value| flag)?) (?:that )?)?(?:indicates?|indicating|determines?|specif(?:y|ies)|controls|to decide|to indicate) (?:whether|if)|whether|(?:set (?:this )?(?:to )?)?true if|(?:if|when) (?:(?:(?:this is )?set to )?true|(?:it )?is set)(?:,? and [^,]+)?,?(?: then)?)(?: or not)? (.+)$/i;
/** "Only authenticated users can join." */
const DECLARED = /^(?:All|Anyone|Only|Participants|Users) [^.]* (?:are|can|is|may|must|will) [^.]+$/;
const TO_DO =
	/(?:^(?:set (?:this )?(?:(?:optional )?(?:field|flag|parameter) )?(?:to )?(?:"?true"? )?|true |(?:if|when) (?:set to )?true,? |specify "?true"? )(?:in order )?to (?!true|false)|^this (?:field|flag|option|parameter) (?:allows you to|lets you) )(.+)$/i;
/** Verbs of what a switch switches on. */
const SWITCHED = new Set(
	(
		'add allow apply automate bill cancel collect create delete detect disable display enable encode exclude expand force generate hide ignore include keep ' +
		'limit make notify play record remove replace require reset resume return save send show skip start stop trim turn update use'
	).split(' '),
);

/** The node encodes what is in the path and the query. */
const UNNEEDED = /[:=]$|^\(|^For example|\b(?:percent|URL)[- ]encoded/i;

/** The first sentence of a description, as plain text: without markup, n8n expressions, and the final period. */
export const sentenceOf = (text: unknown) => sentencesIn(text)[0] ?? '';

/**
 * A field's description: the first sentence, and those that say when or how to fill it in.
 * @param isSwitch whether it is of a boolean
 * @returns without a final period if it is one sentence
 */
export function descriptionOf(text: unknown, isSwitch = false): string {
	const all = isSwitch ? switchSentencesIn(text) : sentencesIn(text);
	const [first = '', ...others] =
		/^Required (?:for|if|when) /.test(all[0] ?? '') && all[1] ? [all[1], all[0]!, ...all.slice(2)] : all;
	const kept = others.filter((each) => NEEDED.test(each) && !UNNEEDED.test(each));
	const about = first.replace(/^Represents (?=(?:an?|the) )/, '').replace(ASKED, '');
	return kept.reduce(
		(before, each) =>
			before.length + each.length < MAX_DESCRIPTION ? `${withPeriod(before)} ${withPeriod(each)}` : before,
		capitalized(about),
	);
}

/** "The ID of the message you would like returned", of an operation that cancels it. */
const ASKED = /,? (?:that |which )?you (?:would like|want|wish) (?:returned|to (?:get|fetch|retrieve|return))$/;
/** In sentences that a field's description keeps. */
const NEEDED =
	/\b(?:must|only|required (?:if|when|for)|omit|at most|at least|maximum|minimum|otherwise|ignored|comma[- ]separated|(?:milliseconds|seconds)|minutes|minor units|should be in)\b/i;

/** The sentences of a boolean's description, from the one that says what it switches. */
function switchSentencesIn(text: unknown): string[] {
	const [first = '', ...others] = sentencesIn(text);
	if (typeof text !== 'string' || WHETHER.test(first) || TO_DO.test(first)) return [first, ...others];
	const paragraphs = text
		.slice(0, 2000)
		.split(/<\/?p>|\n\s*\n/)
		.map(sentencesIn);
	const isSaid = (each: string) => WHETHER.test(each) || TO_DO.test(each) || ASIDE.test(each);
	const all = paragraphs.flat();
	const at = all.findIndex(isSaid);
	return at < 0 ? [first, ...others] : [all[at]!.replace(ASIDE, 'Specify whether '), ...all.slice(at + 1)];
}

/** "In queries for incoming messages, specify whether …" */
const ASIDE = /^[^.]*, specify whether /;

function sentencesIn(text: unknown): string[] {
	if (typeof text !== 'string') return [];
	// A paragraph, an element of a list, or e.g. "Description: …" of several such lines.
	const lines = text
		.slice(0, 2000)
		.replace(LISTED, '$1 $2 or $3')
		.replace(/(?<=(?:^|\n)[^\n]{1,60}[^.!?:,;\s])[ \t]*\n(?=[A-Z])/g, '. ');
	const paragraphs = lines
		.replace(/<\/?(?:br|p|li|ul|div|tr)\b[^>]*>|\n\s*(?:[-*•]|\d+\.) /gi, (mark) =>
			/li|[-*•]/.test(mark) ? '\n\n• ' : '\n\n',
		)
		.split(/\n\s*\n/)
		.map(plainOf);
	const [described] = paragraphs.flatMap((each) => /^description:(.+)$/i.exec(each)?.slice(1).map(plainOf) ?? []);
	const texts = paragraphs
		.map((each) => each.replace(/^• /, ''))
		.filter(
			(each) => /\p{L}/u.test(each) && !/^(?:(?:format|default|example)s?: |the default (?:value )?is )/i.test(each),
		);
	const plain =
		described ?? texts.find((each) => !/^(?:note|important|prerequisite|warning)s?:/i.test(each)) ?? texts[0] ?? '';
	return plain.split(/(?<=[^.][^.][.!?]) (?=[A-Z])/).map((each) => {
		const cut = each.length > MAX_DESCRIPTION ? `${each.slice(0, MAX_DESCRIPTION).replace(/\s\S*$/, '')}…` : each;
		// A value of the API keeps its letters.
		return capitalized(
			cut
				.replace(/^([a-z]\w*_\w+)(?=: )/, '"$1"')
				.replace(/^Is (?=(?:an?|the|in) )|,? (?:as follows|such as|including)[.:;,]?$|[.:;,]$/g, ''),
		);
	});
}

/** "Possible values are:", and a list of two. */
const LISTED = /\b(values are):?\s*\n\s*[-*•] ([^\n]+)\n\s*[-*•] ([^\n]+)/gi;

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** Plain text of a paragraph. */
function plainOf(text: string): string {
	return (
		text
			.replace(/(?<!\/)\{(\w+)\}/g, '$1')
			// Not in an address.
			.replace(
				/\bids?\b|(?<![/.@])\b(?:apis?|ips?|urls?|sku|sms|json)\b(?![/.@]\w)/gi,
				(word) => acronym(word.toLowerCase()) ?? word,
			)
			.replace(/<[^>]*>|[\p{Cc}\p{Cf}]/gu, ' ')
			.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
			.replace(/(?<!\w)_([^_]+)_(?!\w)|(?<=\w)_(?!\w)/g, '$1')
			.replace(/&(?:#(\d+)|(amp|quot|apos|nbsp));/g, (_, code: string, name: string) =>
				code ? String.fromCharCode(Number(code)) : ENTITIES[name]!,
			)
			.replace(/([<>])=/g, (_, sign: string) => (sign === '<' ? '≤' : '≥'))
			.replace(/[`*]/g, '')
			.replace(/[\p{Cc}\p{Cf}#|<>]|\{\{|\}\}/gu, ' ')
			.replace(/\s+/g, ' ')
			.replace(/ (?=[,;.:](?: |$))/g, '')
			.replace(/^[\s=:;,.-]+/, '')
			.trim()
	);
}
