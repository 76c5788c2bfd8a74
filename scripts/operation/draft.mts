import pluralize from 'pluralize';
import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { DocumentedOperation, Found } from './document.mts';
import { camelCase, capitalized, inSentence, sentenceOf, titleCase, withArticle, wordsOf } from './english.mts';
import { type Sent, sentByParameter, sentInBody } from './fields.mts';
import { type Shape, shapeOf } from './shape.mts';

/** An operation of the package, before it is written. */
export interface Draft {
	found: Found;
	/** In the editor: "VoIP DSS Trunk", `dssTrunk`. */
	resource: { name: string; value: string };
	operation: { name: string; value: string };
	action: string;
	description: string;
	/** With the names of the fields. */
	url: string;
	sent: Sent[];
	/** Optional parameters that no field can send, and why. */
	leftOut: string[];
	response: { status: string; shape?: Shape };
	/** What the documented operation does, as far as its method and its words say. */
	creates: boolean;
	warns: boolean;
}
/** Names that a person gives in place of those that rules make. */
export interface Names {
	resource?: string | undefined;
	name?: string | undefined;
	/** Whether operations that are there are made again. */
	again?: boolean | undefined;
}

const KNOWN_VERBS: Record<string, string[]> = {
	Get: ['get', 'read', 'retrieve', 'fetch', 'show', 'find', 'view', 'describe', 'list', 'search', 'query', 'return', 'returns'],
	Create: ['create', 'add', 'new', 'post', 'insert', 'make'],
	Update: ['update', 'edit', 'modify', 'change', 'replace', 'patch', 'put'],
	Delete: ['delete', 'remove', 'destroy'],
};
/** Not what an operation is called, even where its id begins with it. */
const METHOD_WORDS = /^(?:put|post|patch)$/;
const METHOD_NAMES: Record<string, string> = { GET: 'Get', POST: 'Create', PUT: 'Update', PATCH: 'Update', DELETE: 'Delete' };
/** OpenAPI ignores these: the node sets them. */
const IGNORED_HEADERS = /^(?:accept|authorization|content-type)$/i;
const COSTS = /\b(?:buy|purchase|order|charge|bill|billed|invoice|pay|payment|premium|port|subscribe)\b/i;
pluralize.addUncountableRule(/sms$/);
const JSON_TYPE = /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)\s*(?:;|$)/i;

/** What each operation of a document would become, or a sentence that says why it can't be one. */
export function draftsOf(all: Found[], names: Names = {}): Array<Draft | string> {
	const drafts = all.map((found) => draftOf(found, names));
	// Of several "Get" of a resource the one with the shortest path is it; the others are named by their ids.
	const byLength = drafts.filter((draft) => typeof draft === 'object').sort((a, b) => a.url.length - b.url.length);
	const isSame = (a: Draft) => (b: Draft) => a.resource.value === b.resource.value && a.operation.value === b.operation.value;
	return drafts.map((draft) => {
		if (typeof draft === 'string' || names.name || (byLength.find(isSame(draft)) === draft && (names.again || !isTaken(draft)))) return draft;
		return { ...draft, ...namesOf(draft.found, { ...names, name: titleCase(idWords(draft.found)) }, draft.response.shape) };
	});
}

/** Whether the package has an operation of this name. */
const isTaken = ({ resource, operation }: Draft) =>
	RESOURCES.some(({ value, operations }) => value === resource.value && operations.some(({ option }) => option.value === operation.value));

function draftOf(found: Found, names: Names): Draft | string {
	const { method, path, operation } = found;
	const { parameters = [], requestBody: { content } = {}, callbacks, description, summary } = operation;
	if (!names.again && isThere(method, path)) return 'it is there already';
	if (/login|oauth|access.?token/i.test(path) && operation.security?.length === 0) return 'the credential logs in';
	if (callbacks && Object.keys(callbacks).length > 0) return 'the service would call back';
	const [bodyType, media] = content
		? (Object.entries(content).find(([type]) => JSON_TYPE.test(type)) ?? [Object.keys(content)[0], undefined])
		: [];
	if (bodyType !== undefined && !media) return `its body is ${bodyType}, and the node sends JSON`;
	const body = media && shapeOf(media.schema);
	if (body && (body.kind !== 'object' || body.properties.size === 0)) return 'its body is not an object with known properties';
	const response = responseOf(operation);
	if (typeof response === 'string') return response;
	const named = namesOf(found, names, response.shape);
	if (named.resource.value === '' || named.operation.value === '') return 'rules find no name for it: give --resource and --name';
	const noun = inSentence(wordsOf(named.resource.name));
	const candidates = [
		...parameters
			.filter(({ in: place, name }) => place !== 'header' || !IGNORED_HEADERS.test(name))
			.map((each) => sentByParameter(each, noun)),
		...(body ? sentInBody(body, noun) : []),
	];
	const unsendable = candidates.filter((each) => 'why' in each);
	const refused = unsendable.find(({ required }) => required);
	if (refused) return `it requires a value that no field can send: ${refused.why}`;
	const sent = candidates.filter((each) => 'field' in each);
	const twice = sent.find(({ field }, index) => sent.findIndex((other) => other.field.name === field.name) !== index);
	if (twice) return `two of its parameters would have the name ${twice.field.name}`;
	const url = path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${camelCase(wordsOf(name))}}`);
	if (!/^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~:@!$&'()*+,;=%-]|\{\w+\})+)+\/?$/.test(url))
		return `its path can't be used: ${JSON.stringify(path.slice(0, 100))}`;
	const missing = [...url.matchAll(/\{(\w+)\}/g)].find(([, name]) => !sent.some((each) => each.place === 'path' && each.name === name));
	if (missing) return `its document does not describe the part ${missing[0]} of the path`;
	return {
		...named,
		found,
		description: sentenceOf(summary) || sentenceOf(description) || named.action,
		url,
		sent: sent.sort(
			(a, b) => Number(b.required) - Number(a.required) || (a.required ? 0 : a.field.displayName.localeCompare(b.field.displayName)),
		),
		leftOut: unsendable.map(({ why }) => why),
		response,
		creates: method === 'POST',
		warns: method === 'DELETE' || (method !== 'GET' && COSTS.test(`${inSentence(wordsOf(found.id))} ${summary}`)),
	};
}

/** Whether the package has it, with or without each part of a path that may be missing. */
function isThere(method: string, path: string): boolean {
	const route = (text: string) => text.replace(/\{[^{}]*\}/g, '{}').toLowerCase();
	return RESOURCES.flatMap(({ operations }) => operations).some(({ option: { routing } }) => {
		const { url } = routing.request;
		const forms = [url.replace(/\{\/\w+\}/g, ''), url.replace(/\{\/(\w+)\}/g, '/{$1}')];
		return routing.request.method === method && forms.some((each) => route(each) === route(path));
	});
}

function responseOf({ responses = {} }: DocumentedOperation): Draft['response'] | string {
	const [status = '200', { content = {} } = {}] = Object.entries(responses).find(([code]) => /^2/.test(code)) ?? [];
	const [, media] = Object.entries(content).find(([type]) => JSON_TYPE.test(type)) ?? [];
	if (!media && Object.keys(content).length > 0) return `its response is ${Object.keys(content)[0]}, and the node reads JSON`;
	return media ? { status: /^20[012]$/.test(status) ? status : '200', shape: shapeOf(media.schema) } : { status: '204' };
}

const stepsOf = (path: string) =>
	path.split('/').filter((step) => step !== '' && !step.startsWith('{') && !/^(?:api|rest|v[\d.]+)$/i.test(step));

/** The words of its operationId or, where there is none, of method and path. */
function idWords({ id, method, path }: Found): string[] {
	const steps = stepsOf(path).join(' ');
	return wordsOf(id.includes('/') ? `${METHOD_NAMES[method]} ${path.endsWith('}') ? pluralize.singular(steps) : steps}` : id);
}

function namesOf(found: Found, { resource, name }: Names, response?: Shape): Pick<Draft, 'resource' | 'operation' | 'action'> {
	const { method, path, operation } = found;
	const words = wordsOf(resource ?? operation.tags?.[0] ?? stepsOf(path)[0] ?? '');
	const nouns = wordsOf(resource ?? pluralize.singular(words.join(' ')));
	const present = RESOURCES.find((each) => each.name.toLowerCase() === titleCase(nouns).toLowerCase() || each.value === camelCase(nouns));
	const [first = '', ...others] = idWords(found);
	const [verb = '', ...rest] = METHOD_WORDS.test(first) && others.length > 1 ? others : [first, ...others];
	// Only what is done to the resource itself is a "Delete": deletePayment of a document is not.
	const isOfResource = ` ${nouns.join(' ')}`.endsWith(` ${pluralize.singular(rest.join(' '))}`) || rest.length === 0;
	const hasList = [...(response?.properties.values() ?? [])].some(({ kind, items }) => kind === 'array' && items?.kind === 'object');
	const isMany = response?.kind === 'array' || (!path.endsWith('}') && hasList);
	const usual = method === 'GET' && isMany ? 'Get Many' : METHOD_NAMES[method]!;
	const title = name ?? (isOfResource && KNOWN_VERBS[METHOD_NAMES[method]!]?.includes(verb) ? usual : titleCase([verb, ...rest]));
	return {
		resource: present ? { name: present.name, value: present.value } : { name: resource ?? titleCase(nouns), value: camelCase(nouns) },
		operation: { name: title, value: title === 'Get Many' ? 'getAll' : camelCase(wordsOf(title)) },
		action: actionOf(title, inSentence(nouns)),
	};
}

function actionOf(title: string, noun: string): string {
	if (title === 'Get Many') return `Get many ${pluralize(noun)}`;
	return Object.values(METHOD_NAMES).includes(title) ? `${title} ${withArticle(noun)}` : capitalized(inSentence(wordsOf(title)));
}
