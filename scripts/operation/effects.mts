import type { Pagination } from '../../nodes/VoiceAdmin/operations/operation';
import type { Found, Parameter } from './document.mts';
import { CHANGING_VERBS, infinitiveOf, READING_VERBS, wordsOf } from './english.mts';
import type { Sent } from './fields.mts';
import { MANY, nameWords } from './names.mts';
import { type Shape, shapeOf } from './shape.mts';

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

/** Names of query parameters, as words, for the size of a page of a list, and for which page. */
const SIZES =
	/^(?:limit|size|count|(?:page |max )(?:size|limit|results|items)|per page|(?:items|results|records) per page)$/;
const NUMBERS = /^page(?: (?:number|no|num|index))?$/;
const OFFSETS = /^(?:offset|skip|start index)$/;
const CURSORS = /^(?:cursor|after|starting after|(?:next )?page token|next token)$/;
/** Names of properties with the cursor of the next page. */
export const NEXT_CURSOR = /^(?:cursor|after|next (?:cursor|token|page token))$/;
const DEFAULT_PAGE_SIZE = 100;

/** How to get all pages of a list, if its parameters say so. @param response the list, or an object that wraps it */
export function paginationOf(parameters: Parameter[], response: Shape): Pagination | undefined {
	const [size, number, offset, cursor] = [SIZES, NUMBERS, OFFSETS, CURSORS].map((names) => {
		const found = parameters.find(({ name, in: place }) => place === 'query' && names.test(wordsOf(name).join(' ')));
		if (!found) return undefined;
		const { name: property, description = '', required: isRequired, schema } = found;
		return { description, ...shapeOf(schema), property, isRequired };
	});
	if (size?.type !== 'integer' || size.isRequired) return undefined;
	const from = cursorIn(response);
	const page: Pagination['page'] | undefined =
		cursor?.type === 'string' && !cursor.format?.startsWith('date') && from !== undefined
			? { property: cursor.property, type: 'cursor', cursor: from }
			: offset?.type === 'integer'
				? { property: offset.property, type: 'offset', first: firstOf(offset, 0) }
				: number?.type === 'integer'
					? { property: number.property, type: 'number', first: firstOf(number, 1) }
					: undefined;
	// The first request leaves it out.
	if ([cursor, offset, number].some((each) => each?.property === page?.property && each?.isRequired)) return undefined;
	const [, said] = /\bmax\w*\W+(?:[a-z]+\W+){0,3}(\d+)/i.exec(size.description ?? '') ?? [];
	const max = Math.max(1, size.maximum ?? Number(said ?? DEFAULT_PAGE_SIZE));
	return page && { size: { property: size.property, ...(size.minimum! > 1 && { min: size.minimum }), max }, page };
}

/** The first page's number, or the first element's. */
const firstOf = ({ default: preset, minimum }: Shape, usual: number) =>
	[preset, minimum].find((value) => value === 0 || value === 1) ?? usual;

/** Where a response has the cursor of the next page: "meta.next_cursor". */
function cursorIn({ properties }: Shape, isInner = false): string | undefined {
	const isCursor = ([name, { type }]: [string, Shape]) =>
		type === 'string' && NEXT_CURSOR.test(wordsOf(name).join(' '));
	const own = [...properties].find(isCursor)?.[0];
	if (own !== undefined || isInner) return own;
	const [inner] = [...properties].flatMap(([name, each]) => cursorIn(each, true)?.replace(/^/, `${name}.`) ?? []);
	return inner;
}
