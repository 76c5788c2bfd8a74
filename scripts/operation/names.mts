import pluralize from 'pluralize';
import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { Found } from './document.mts';
import {
	actionOf,
	camelCase,
	capitalized,
	inSentence,
	READING_VERBS,
	sentenceOf,
	titleCase,
	VERBS,
	withArticle,
	wordsOf,
} from './english.mts';
import type { Shape } from './shape.mts';

/** An operation's names in the editor: "VoIP DSS Trunk" (`dssTrunk`), "Get" (`get`), "Get a VoIP DSS trunk". */
export interface Named {
	resource: { name: string; value: string };
	operation: { name: string; value: string };
	action: string;
}
/** Options of the command. force: overwrite existing operations; deprecated: accept deprecated ones */
export interface DraftOptions {
	resource?: string | undefined;
	name?: string | undefined;
	force?: boolean | undefined;
	deprecated?: boolean | undefined;
}

const KNOWN_VERBS: Record<string, string[]> = {
	Get: READING_VERBS,
	Create: ['create', 'add', 'new', 'post', 'insert', 'make'],
	Update: [
		'update',
		'edit',
		'modify',
		'change',
		'replace',
		'patch',
		'put',
		'set',
		'enable',
		'disable',
		'assign',
		'rename',
	],
	Delete: ['delete', 'remove', 'destroy'],
};
export const VERSION = /^v\d+$|\d{8}$/;
const METHOD_NAMES: Record<string, string> = {
	GET: 'Get',
	POST: 'Create',
	PUT: 'Update',
	PATCH: 'Update',
	DELETE: 'Delete',
};
/** What follows these words in a summary is not part of a name. */
const DETAILS = new Set(
	'by for with that which from via using matching filtered optionally currently associated'.split(' '),
);
const WRITING_VERBS = ['create', 'update', 'delete'];
/** Words before a verb: "batch retrieve". */
export const MANY = /^(?:batch|bulk)$/;
/** Of a summary that becomes a name, in words. */
const MAX_NAME = 5;
pluralize.addUncountableRule(
	/\b(?:sms|mms|tts|rcs|dns|gps|tls|https|pricing|billing|branding|funding|messaging|routing)$/,
);

const stepsOf = (path: string) =>
	path
		.replace(/\.json$/, '')
		.split('/')
		.filter((step) => step !== '' && !step.startsWith('{') && !/^(?:api|rest|v[\d.]+)$/i.test(step))
		.map(wordsOf);

const PREAMBLE =
	/^(?:use )?(?:this|the) (?:api|call|endpoint|method|operation) (?:allows you to|can be used to|lets you|to) /i;

/** What the document says that an operation does: its summary or, if that says nothing, its description. */
export function sentencesOf({ method, path, operation: { summary, description } }: Found): string[] {
	// "CRUD: Create a bill run": a group, and a sentence.
	const told = [
		sentenceOf(summary).replace(/^[A-Z][\w-]*: (?=[A-Z])/, ''),
		capitalized(sentenceOf(description).replace(PREAMBLE, '')),
	];
	const said = told.filter((each) => each.includes(' '));
	const apart = said.map((each) =>
		each.replace(/\b(?:[A-Z][a-z]+){2,}\b/g, (word) => (isNameIn(path, word) ? inSentence(wordsOf(word)) : word)),
	);
	return apart.map((each) =>
		each.replace(method === 'GET' ? /^Returns? / : /^Returns? (?=an?\b|the\b|all\b|[a-z]+s\b)/, 'Get '),
	);
}

/** Whether a word is a name of the path: TeamMemberWage of /team-member-wages, but not PayPal. */
const isNameIn = (path: string, word: string) => joined(path).includes(joined(word));
const joined = (name: string) =>
	wordsOf(name)
		.map((each) => pluralize.singular(each))
		.join('');

/** The words that name an operation, a verb first: those of its operationId, its summary, or its method and path. */
export function nameWords(found: Found): string[] {
	const {
		method,
		path,
		operation: { summary = '' },
	} = found;
	// A summary may be the id.
	const id = found.id.startsWith(`${method} /`) && /^[A-Za-z]+[a-z][A-Z]\w*$/.test(summary) ? summary : found.id;
	const [said = ''] = sentencesOf(found)
		.map(actionOf)
		.filter((each) => each !== '');
	const short = wordsOf(said.replace(/ up to \d+/, '')).filter(
		(word, index) => !/^(?:an?|the|your)$/.test(word) && !(index === 1 && /^(?:all|single|specific)$/.test(word)),
	);
	const isShort = short.length > 1 && short.length <= MAX_NAME;
	// An id may repeat the path (get_companies_companyId) or begin with the tag (calls/list-all-calls).
	const isOfPath =
		id.startsWith(`${method} /`) ||
		((path.includes('{') || /^[A-Z]+_/.test(id)) && withoutVersion(id).endsWith(withoutVersion(path)));
	const words = isOfPath ? pathWords(found, short[0]) : idWords(id);
	// The noun of "Create a refund" looks like a verb.
	const beginsWithVerb = VERBS.has(words[MANY.test(words[0]!) ? 1 : 0]!);
	// "Cancel a payout", with the id `declineThirdParty`; but `createMessage` stays, whatever its summary.
	const isUsual = (verb: string) => Object.values(KNOWN_VERBS).flat().includes(verb);
	const saysOther = isShort && !isUsual(words[0]!) && !isUsual(short[0]!) && !wordsOf(id).includes(short[0]!);
	if (
		beginsWithVerb &&
		!saysOther &&
		!(isOfPath && isShort) &&
		(words.length > 1 || !WRITING_VERBS.includes(short[0]!))
	)
		return words;
	if (isShort) return short;
	// "Validate a phone number by calling it once" is "Validate Phone Number".
	const detail = short.findIndex((word) => DETAILS.has(word));
	if (isOfPath && detail > 1) return short.slice(0, detail);
	const verb =
		short.length > 0
			? words.indexOf(short[0]!)
			: VERBS.has(words.at(-1)!)
				? words.length - 1
				: words.findIndex((word) => VERBS.has(word));
	const others = words.slice(verb + 1);
	if (verb > 0 && !isOfPath) return [words[verb]!, ...(others.length > 0 ? others : words.slice(0, verb))];
	const usual = isOfPath || method === 'GET' || words.length === 1 ? [METHOD_NAMES[method]!.toLowerCase()] : [];
	const nouns = words.length > 1 && WRITING_VERBS.includes(words.at(-1)!) ? words.slice(0, -1) : words;
	return short.length > 0 ? [short[0]!, ...nouns] : [...usual, ...words];
}

const withoutVersion = (name: string) =>
	wordsOf(name)
		.filter((word) => !VERSION.test(word))
		.join('');

/** The words of an operationId, without those for its method, its version or a class of the provider's. */
function idWords(id: string): string[] {
	// `POSTDebitMemo`, `Action_POSTgenerate`: a method, and a name.
	const own = id
		.slice(id.lastIndexOf('/') + 1)
		.replace(/^(?:[A-Z][A-Za-z]*?_?)?(GET|POST|PUT|PATCH|DELETE)_?(?=[A-Za-z])/, '$1_');
	// `Customer_GetAll`: a class, and a method.
	const [, type = '', call = ''] = /^([A-Za-z]+)_(\w+)$/.exec(own) ?? [];
	const isCall = !METHOD_NAMES[type.toUpperCase()] && wordsOf(call).some((word) => VERBS.has(word));
	// `ContactsPost`: a path, and a method.
	const all = wordsOf(isCall ? call : own.replace(/(?<=\w)_?(?:Get|GET|Post|POST|Put|PUT|Patch|PATCH)$/, ''));
	const words = all.filter(
		(word, index) => all.length === 1 || !VERSION.test(word) || (index > 0 && index < all.length - 1),
	);
	const [verb = '', which = ''] = words;
	if (isCall && words.length === 2 && /^(?:list|all|one)$/.test(which))
		return [verb, ...wordsOf(pluralize(wordsOf(type.replace(/Api$/, '')).join(' '), which === 'one' ? 1 : 2))];
	const isRepeated = /^(?:GET|DELETE)_/.test(own) && [...READING_VERBS, 'delete'].includes(which);
	return words.length > 1 && (/^(?:put|post|patch)$/.test(verb) || isRepeated) ? words.slice(1) : words;
}

/** The words of a path; one that ends with a verb begins with it. */
function pathWords({ method, path }: Found, verb?: string): string[] {
	const steps = stepsOf(path);
	const last = steps.at(-1) ?? [];
	const isVerb = last.length === 1 && (method === 'GET' ? verb === last[0] : VERBS.has(last[0]!));
	if (isVerb && steps.length > 1 && !path.endsWith('}')) return [...last, ...steps.slice(0, -1).flat()];
	return steps.flatMap((step, index) =>
		index < steps.length - 1 || path.endsWith('}') ? wordsOf(pluralize.singular(step.join(' '))) : step,
	);
}

/** The operation of the package that makes the same request, with or without an optional part of its path. */
export function presentOf({ method, path }: Pick<Found, 'method' | 'path'>): Named | undefined {
	const patternOf = (url: string) => url.toLowerCase().replace(/\{[^{}]*\}/g, '{}');
	const all = RESOURCES.flatMap(({ name, value, operations }) =>
		operations.map(({ option }) => ({ resource: { name, value }, option })),
	);
	const isSame = ({ option: { routing } }: (typeof all)[number]) => {
		const { url } = routing.request;
		const urls = [url.replaceAll('{/', '/{'), url.replace(/\{\/\w+\}/g, '')].map(patternOf);
		return routing.request.method === method && urls.includes(patternOf(path));
	};
	const same = all.find(isSame);
	return same && called(same.resource, same.option.name);
}

/** Names an operation in n8n's style, from tag, operationId and method, or from the path. @param response tells "Get Many" from "Get" */
export function namesOf(found: Found, { resource, name }: DraftOptions, response?: Shape): Named {
	const { method, path, operation } = found;
	const about = sentencesOf(found);
	const tagText =
		resource ?? operation.tags?.[0]?.replace(/^(\w+) - (\w+)$/, '$2 $1') ?? stepsOf(path)[0]?.join(' ') ?? '';
	const tag = wordsOf(tagText);
	// VoiceV1Call is a call, whatever the version.
	const version = tag.findIndex((word) => VERSION.test(word));
	const ofTag = version === tag.length - 1 ? tag : tag.slice(version + 1);
	const ofPath = version >= 0 ? pathNoun(found, ofTag) : ofTag;
	// "Bounces API", "Cancel Scheduled Sends".
	const words =
		resource || ofTag.length === 1
			? ofPath
			: ofPath.filter(
					(word, index) =>
						!(index === ofPath.length - 1 && word === 'api') &&
						!(index === 0 && /^(?:cancel|create|manage)$/.test(word)),
				);
	const nouns = wordsOf(resource ?? pluralize.singular(words.join(' ')));
	const present = RESOURCES.find(
		(each) => each.name.toLowerCase() === titleCase(nouns).toLowerCase() || each.value === camelCase(nouns),
	);
	const [verb = '', ...said] = nameWords(found);
	const isReading = READING_VERBS.includes(verb);
	const isAll = isReading && said[0] === 'all';
	const saidWords = (isAll ? said.slice(1) : said)
		.join(' ')
		.replace(/ by id$/, '')
		.split(' ')
		.filter((word) => word !== '');
	// The resource is left out of the name: /trunks/{id}/calls is "Get Calls" of a trunk.
	const isAbove =
		saidWords.length > words.length &&
		found.id.includes(' /') &&
		path.includes('}/') &&
		singularOf(saidWords.slice(0, words.length)) === singularOf(words);
	const rest = kindFirst(isAbove ? saidWords.slice(words.length) : saidWords);
	// Only an operation on the resource itself is "Delete": deletePayment of a document isn't. /customers/{id}/documents has documents.
	const isLast =
		singularOf(stepsOf(path).at(-1) ?? []) === nouns.join(' ') &&
		` ${singularOf(rest)}`.endsWith(` ${nouns.join(' ')}`);
	const isOfResource = isLast || ` ${nouns.join(' ')}`.endsWith(` ${singularOf(rest)}`) || rest.length === 0;
	const hasList = [...(response?.properties.values() ?? [])].some(
		({ type, items }) => type === 'array' && items?.type === 'object',
	);
	const isPlural = isAll || (isOfResource && rest.length > 0 && singularOf(rest) !== rest.join(' '));
	const isMany =
		response?.type === 'array' ||
		(hasList && /^lists? /i.test(about[0] ?? '')) ||
		(!path.endsWith('}') && (hasList || isPlural || verb === 'list'));
	// Some providers update and delete with POST.
	const usual = method === 'POST' && /^(?:update|delete)$/.test(verb) ? capitalized(verb) : METHOD_NAMES[method]!;
	const isUsual = isOfResource && KNOWN_VERBS[usual]?.includes(verb);
	const deletesMany = method === 'DELETE' && isLast && !/[})](?:\.json)?$/.test(path);
	const title =
		name ?? (isUsual ? (method === 'GET' && isMany ? 'Get Many' : usual) : titleCase([verb, ...rest], about.join(' ')));
	const named = called(
		present ?? { name: resource ?? titleCase(nouns, tagText), value: camelCase(nouns) },
		title,
		about,
	);
	return deletesMany && title === 'Delete' ? { ...named, action: `Delete ${pluralize(inSentence(nouns))}` } : named;
}

/** The noun that a path spells out, where the tag has only its end: of Usage/Records/Daily, "daily usage record". */
function pathNoun({ path, id }: Found, tag: string[]): string[] {
	const words = stepsOf(path).flatMap((step) => wordsOf(singularOf(step)));
	const [, ...said] = wordsOf(id);
	const isLonger = said.length > tag.length && ` ${singularOf(said)}`.endsWith(` ${singularOf(tag)}`);
	// Each word in its order, maybe with others between: SIP/Domains/{sid}/Auth/Calls.
	let at = -1;
	const areInPath = said.every((word) => (at = words.indexOf(pluralize.singular(word), at + 1)) >= 0);
	if (!isLonger || !areInPath || at < words.length - 1) return tag;
	return kindFirst(said);
}

/** "daily usage record", of "usage record daily". */
function kindFirst(words: string[]): string[] {
	const last = words.at(-1) ?? '';
	return /^(?:daily|weekly|monthly|yearly|local|mobile|national)$/.test(last) ? [last, ...words.slice(0, -1)] : words;
}

const singularOf = (words: string[]) => pluralize.singular(words.join(' '));

/** All names of an operation, from its name in the editor. @param about what the document says that it does */
export function called({ name, value }: Named['resource'], title: string, about: string[] = []): Named {
	const noun = name
		.split(' ')
		.map((word) => (/[A-Z].*[A-Z]/.test(word) ? word : word.toLowerCase()))
		.join(' ');
	const [said] = about.map(actionOf).filter((each) => each !== '');
	const [last = '', ...before] = noun.split(' ').reverse();
	const nouns = [...before.reverse(), inSentence([pluralize(last.toLowerCase())])].join(' ');
	const isUncountable = pluralize.isPlural(noun) && pluralize.isSingular(noun);
	const isUsual = KNOWN_VERBS[title] && (!said || KNOWN_VERBS[title].includes(wordsOf(said)[0]!));
	const usual = isUsual
		? `${title} ${isUncountable ? noun : withArticle(noun)}`
		: (said ?? capitalized(inSentence(wordsOf(title)))).replace(/^Lookup (?=.)/, 'Look up ');
	const isMany = title === 'Get Many';
	const present = RESOURCES.find((each) => each.value === value)?.operations.find(
		({ option }) => option.name === title,
	);
	return {
		resource: { name, value },
		// An existing operation keeps its value, which saved workflows contain: "Create" of a customer is `add`.
		operation: {
			name: title,
			value: String(present?.option.value ?? (isMany ? 'getMany' : camelCase(wordsOf(title)))),
		},
		action: isMany ? `Get many ${nouns}` : usual,
	};
}
