import pluralize from 'pluralize';
import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { Found } from './document.mts';
import { camelCase, capitalized, inSentence, sentenceOf, titleCase, withArticle, wordsOf } from './english.mts';
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

export const READING_VERBS = 'get read retrieve fetch show find view describe list search query return lookup check count'.split(' ');
const KNOWN_VERBS: Record<string, string[]> = {
	Get: READING_VERBS,
	Create: ['create', 'add', 'new', 'post', 'insert', 'make'],
	Update: ['update', 'edit', 'modify', 'change', 'replace', 'patch', 'put', 'set', 'enable', 'disable', 'assign', 'rename'],
	Delete: ['delete', 'remove', 'destroy'],
};
export const VERSION = /^v\d+$|\d{8}$/;
/** Left out of an operation's name if its id begins with one. */
const METHOD_WORDS = /^(?:put|post|patch)$/;
const METHOD_NAMES: Record<string, string> = { GET: 'Get', POST: 'Create', PUT: 'Update', PATCH: 'Update', DELETE: 'Delete' };
const VERBS = new Set([...Object.values(KNOWN_VERBS).flat(), 'send']);
pluralize.addUncountableRule(/\b(?:sms|mms|tts|rcs|dns|gps|tls|https)$/);

const stepsOf = (path: string) =>
	path.split('/').filter((step) => step !== '' && !step.startsWith('{') && !/^(?:api|rest|v[\d.]+)$/i.test(step));

/** The words of the operationId or, without one, of method and path. */
export function idWords({ id, method, path, operation }: Found): string[] {
	const steps = stepsOf(path).join(' ');
	// An id may repeat the path (get_companies_companyId) or begin with the tag (calls/list-all-calls).
	const isOfPath = id.startsWith(`${method} /`) || (path.includes('{') && wordsOf(id).join('').endsWith(wordsOf(path).join('')));
	// `Customer_GetAll`: a controller, and a verb. `POSTDebitMemo`, `ActionPOSTgenerate`: a method, and a name.
	const own = id.slice(id.lastIndexOf('/') + 1).replace(/^(GET|POST|PUT|PATCH|DELETE)(?=[A-Za-z])/, '$1 ').replace(/(?<=[a-z_])(?:GET|POST|PUT)(?=[a-z])/, ' ');
	const [, afterController] = /^[A-Za-z]+_(\w+)$/.exec(own) ?? [];
	const isNamed = afterController && VERBS.has(wordsOf(afterController)[0]!);
	if (!isOfPath) return wordsOf(isNamed ? afterController : own);
	const [said = ''] = wordsOf(sentenceOf(operation.summary) || sentenceOf(operation.description));
	const verb = VERBS.has(pluralize.singular(said)) ? pluralize.singular(said) : METHOD_NAMES[method]!;
	return wordsOf(`${verb} ${path.endsWith('}') ? pluralize.singular(steps) : steps}`);
}

/** The operation of the package that makes the same request, with or without an optional part of its path. */
export function presentOf({ method, path }: Pick<Found, 'method' | 'path'>): Named | undefined {
	const patternOf = (url: string) => url.toLowerCase().replace(/\{[^{}]*\}/g, '{}');
	const all = RESOURCES.flatMap(({ name, value, operations }) => operations.map(({ option }) => ({ resource: { name, value }, option })));
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
	const tag = wordsOf(resource ?? operation.tags?.[0] ?? stepsOf(path)[0] ?? '');
	// VoiceV1Call is a call, whatever the version.
	const version = tag.findIndex((word) => VERSION.test(word));
	const words = resource || version === tag.length - 1 ? tag : tag.slice(version + 1);
	const nouns = wordsOf(resource ?? pluralize.singular(words.join(' ')));
	const present = RESOURCES.find((each) => each.name.toLowerCase() === titleCase(nouns).toLowerCase() || each.value === camelCase(nouns));
	const [first = '', ...others] = idWords(found);
	const [verb = '', ...all] = METHOD_WORDS.test(first) && others.length > 1 ? others : [first, ...others];
	// The resource is left out of the name: /trunks/{id}/calls is "Get Calls" of a trunk.
	const isAbove = all.length > words.length && found.id.includes(' /') && all.slice(0, words.length).join(' ') === words.join(' ');
	const rest = isAbove ? all.slice(words.length) : all;
	// Only an operation on the resource itself is "Delete": deletePayment of a document isn't.
	const isOfResource = ` ${nouns.join(' ')}`.endsWith(` ${pluralize.singular(rest.join(' '))}`) || rest.length === 0;
	const hasList = [...(response?.properties.values() ?? [])].some(({ type, items }) => type === 'array' && items?.type === 'object');
	const isPlural = isOfResource && rest.length > 0 && pluralize.singular(rest.join(' ')) !== rest.join(' ');
	const isMany = response?.type === 'array' || (!path.endsWith('}') && (hasList || isPlural || verb === 'list'));
	// Some providers update and delete with POST.
	const usual = method === 'POST' && /^(?:update|delete)$/.test(verb) ? capitalized(verb) : METHOD_NAMES[method]!;
	const isUsual = isOfResource && KNOWN_VERBS[usual]?.includes(verb);
	const title = name ?? (isUsual ? (method === 'GET' && isMany ? 'Get Many' : usual) : titleCase([verb, ...rest]));
	return called(present ?? { name: resource ?? titleCase(nouns), value: camelCase(nouns) }, title);
}

/** All names of an operation, from its name in the editor. */
export function called({ name, value }: Named['resource'], title: string): Named {
	const noun = inSentence(wordsOf(name));
	const usual = Object.values(METHOD_NAMES).includes(title) ? `${title} ${withArticle(noun)}` : capitalized(inSentence(wordsOf(title)));
	const isMany = title === 'Get Many';
	const present = RESOURCES.find((each) => each.value === value)?.operations.find(({ option }) => option.name === title);
	return {
		resource: { name, value },
		// An existing operation keeps its value, which saved workflows contain: "Create" of a customer is `add`.
		operation: { name: title, value: String(present?.option.value ?? (isMany ? 'getMany' : camelCase(wordsOf(title)))) },
		action: isMany ? `Get many ${inSentence(wordsOf(pluralize(noun.toLowerCase())))}` : usual,
	};
}
