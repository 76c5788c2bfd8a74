import type { Found } from './document.mts';
import { CHANGING_VERBS, infinitiveOf, READING_VERBS, wordsOf } from './english.mts';
import type { Sent } from './fields.mts';
import { MANY, nameWords } from './names.mts';

/** What an operation does, guessed from its method and its words. */
export interface Effects {
	reads: boolean;
	creates: boolean;
	/** What the notice warns of. */
	stake?: 'money' | 'loss' | undefined;
}

/** With some providers, a GET sends something. These verbs give it away. */
const ACTS =
	/^(?:(?:send|dial|make|buy|pay|subscribe|create|add|update|delete|remove|cancel|start|stop|revoke)s?|purchase|charge|refund|transfer|set|reset)$/;
const COSTS =
	/\b(?:buy|purchases?|orders?|charges?|bill(?:ed|ing)?|invoices?|pay|payments?|payouts?|refunds?|transfers?|top ?ups?|recharge|credits?|premium|port|subscribe|subscriptions?|sales?|fund(?:s|ing)?|captures?|authorize|authorizations?|debits?|collects?)\b/i;
/** Things that only have a word of {@link COSTS} in their name. */
const FREE =
	/\bpayment (?:gateways?|links?|methods?|profiles?|sessions?|terms?)\b|\b(?:credit|debit) cards?\b|\btransfer (?:an? |the )?(?:phone )?numbers?\b|\btext[- ]to[- ]speech\b|\bauthorization (?:codes?|headers?|tokens?|urls?)\b|\bmobile authorization\b/gi;
/** What a DELETE may do that can be done again. */
const ENDS = /^(?:deactivate|detach|disable|mute|pause|stop|unassign|unlink|unmute)s?$/i;
/** Of a POST that only reads. Without "list" and "check", which may also do something. */
const ASKS = /^(?:search|query|find|lookup|retrieve|get|fetch|read|count)$/;
/** In words whose first verb only changes something. */
const ALSO_ACTS = /\b(?:and|or) (?:bill|buy|capture|charge|create|pay|purchase|refund|send|transfer)s?\b/i;
/** What a POST sends at once, at a price. */
const SENDS = /^(?:calls?|dial|sms|mms|texts?|messages?|fax(?:es)?|send|whatsapp|broadcasts?|invite)$/i;
/** What a POST costs though its verb only changes or reads something. */
const ALSO_COSTS =
	/\banswer (?:an? |the |incoming )*calls?\b|\bbatch schedule\b|\bschedule (?:a |the |batch |bulk )*(?:batch(?:es)?|messages?|sms)\b|\b(?:hlr|cnam|mnp)\b/i;
const SEPARATORS = /\b(?:an?|the|to|of|for|from|in|into|on|by|via|with|and|or|at|as|be|is)\b|[^\w ]/i;
const LOSES =
	/\b(?:delete|remove|destroy|purge|erase|cancel|terminate|release|revoke|void|close|reset|wipe|expire)s?\b/i;

const IRREVERSIBLE =
	/\b(?:can(?:not|'t)|can not) be (?:undone|reversed|restored|recovered)\b|\birreversible\b|\bnot allow(?:ed)? (?:you )?to (?:remove|undo|delete)\b/i;
/** "Amount of credentials to be created". */
const IS_COUNT = /^(?:the )?(?:amount|number) of (?!credits)\w+s\b/i;

/** Whether a text says that something is sent: "send a message", and not "create a message template". */
const sends = (text: string) =>
	text
		.split(SEPARATORS)
		.map((phrase) => phrase.trim().split(' '))
		.some((words) => /^(?:send|dial|invite)$/i.test(words[0]!) || SENDS.test(words.at(-1)!));

export function effectsOf(
	found: Found,
	sent: Array<Pick<Sent, 'name' | 'description' | 'required' | 'shape'>>,
): Effects {
	const { method, path, operation } = found;
	const summary = String(operation.summary ?? '');
	const id = nameWords(found);
	const words = [...id, ...wordsOf(path.split('/').at(-1)!)];
	const [first = '', last, about] = [
		id.find((word) => !MANY.test(word)),
		words.at(-1)!,
		`${id.join(' ')}, ${words.slice(id.length).join(' ')}, ${summary}`,
	];
	const alsoCosts = method === 'POST' && ALSO_COSTS.test(about);
	const asks = method === 'GET' || (method === 'POST' && ASKS.test(first) && !alsoCosts && !ALSO_ACTS.test(about));
	const reads =
		asks &&
		!/\bby (?:call|dial|ring|send)ing\b/i.test(summary) &&
		![first, last, wordsOf(summary)[0] ?? ''].some((verb) => ACTS.test(verb));
	if (reads) return { reads, creates: false };
	const onlyChanges =
		([...READING_VERBS, ...CHANGING_VERBS].includes(infinitiveOf(first)) && !ALSO_ACTS.test(about)) ||
		LOSES.test(`${first} ${last}`);
	const charged = about.replace(FREE, '');
	const sendsAmount =
		charged === about &&
		sent.some(({ name, description }) => /^(?:amt|amount)(?![a-z])/.test(name) && !IS_COUNT.test(description));
	const changesAmount = sendsAmount && /\b(?:auth|payment)/.test(about);
	const costs =
		method === 'GET' ||
		alsoCosts ||
		changesAmount ||
		(!onlyChanges &&
			!/^(?:save|store)$/.test(first) &&
			(COSTS.test(charged) || (method === 'POST' && (sends(charged) || sendsAmount))));
	const deletes = method === 'DELETE' && !ENDS.test(wordsOf(summary)[0] ?? first);
	const mayDelete = sent.some(
		({ required, shape }) => required && shape.enum?.some((value) => /^(?:del|delete|remove)$/i.test(String(value))),
	);
	const stake =
		deletes || mayDelete || LOSES.test(about) || IRREVERSIBLE.test(String(operation.description ?? ''))
			? 'loss'
			: costs
				? 'money'
				: undefined;
	return { reads, creates: method === 'GET' || (method === 'POST' && (!onlyChanges || stake === 'money')), stake };
}
