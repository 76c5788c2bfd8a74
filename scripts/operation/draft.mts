import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { Found } from './document.mts';
import { inSentence, sentenceOf, shown, titleCase, wordsOf } from './english.mts';
import { fieldNameOf, type Sent, sentByParameter, sentInBody } from './fields.mts';
import { called, idWords, isRepeatable, type Named, type Names, namesOf, presentOf } from './names.mts';
import { type Shape, shapeOf } from './shape.mts';

/** An operation of the package, before it is written. */
export interface Draft extends Named {
	found: Found;
	description: string;
	/** With the names of the fields. */
	url: string;
	sent: Sent[];
	/** Optional parameters that no field can send, and why. */
	leftOut: string[];
	/** list: the property that holds the items, where the response is an object around a list */
	response: { status: string; shape?: Shape; list?: string | undefined };
	/** What the documented operation does, as far as its method and its words say. */
	reads: boolean;
	creates: boolean;
	/** What is at stake, for a notice. */
	stake?: 'money' | 'loss' | undefined;
}

/** OpenAPI ignores these: the node sets them. */
const IGNORED_HEADERS = /^(?:accept|authorization|content-type)$/i;
const COSTS = /\b(?:buy|purchase|order|charge|bill(?:ed)?|invoice|pay|payments?|payouts?|refund|transfer|top ?up|recharge|credit|premium|port|subscribe)\b/i;
/** What a POST makes happen at once, at a price. */
const SENDS = /\b(?:calls?|dial|sms|mms|texts?|messages?|fax(?:es)?|send|whatsapp)\b/i;
const LOSES = /\b(?:delete|remove|destroy|purge|erase|cancel|terminate|release|revoke|void|close|reset|wipe)s?\b/i;
/** How a GET begins that does not only read. */
const ACTS = /^(?:(?:send|dial|make|buy|pay|subscribe|create|add|update|delete|remove|cancel|start|stop|revoke)s?|purchase|charge|refund|transfer|set|reset)$/;
const JSON_TYPE = /^(?:application\/json|\*\/\*)\s*(?:;|$)/i;

/** What each operation of a document would become, or a sentence that says why it can't be one. */
export function draftsOf(all: Found[], names: Names = {}): Array<Draft | string> {
	const drafts = all.map((found) => {
		try {
			return draftOf(found, names);
		} catch {
			return 'its description is not valid OpenAPI';
		}
	});
	const present = names.again ? [] : RESOURCES.flatMap(({ name, operations }) => operations.map(({ option }) => `${name}: ${option.name}`));
	const taken = new Set(present);
	// Of several "Get" of a resource the one with the shortest path is it; the others are named by their ids.
	const byLength = drafts.filter((draft) => typeof draft === 'object').sort((a, b) => a.url.length - b.url.length);
	for (const draft of names.name ? [] : byLength) {
		const { resource, operation, found } = draft;
		const title = `${resource.name}: ${operation.name}`;
		if (taken.has(title)) Object.assign(draft, called(resource, titleCase(idWords(found))));
		taken.add(`${resource.name}: ${draft.operation.name}`);
	}
	const values = new Set<string>();
	return drafts.map((draft) => {
		if (typeof draft === 'string') return draft;
		if (!names.again && isThere(draft)) return 'it is there already';
		const value = `${draft.resource.value} ${draft.operation.value}`;
		if (values.has(value) && !names.name) return 'another operation of the document has its name: give it one by --name';
		values.add(value);
		return draft;
	});
}

/** Whether the package has an operation of the same name. */
const isThere = ({ resource, operation }: Draft) =>
	RESOURCES.some(({ value, operations }) => value === resource.value && operations.some(({ option }) => option.value === operation.value));

function draftOf(found: Found, names: Names): Draft | string {
	const { method, path, parameters, operation } = found;
	const { description, summary } = operation;
	const { content } = (operation.requestBody ?? {}) as Content;
	if (/login|oauth|access.?token/i.test(path) && operation.security?.length === 0) return 'it is the login, which the credential does';
	if (operation.deprecated && !names.deprecated) return 'it is deprecated: --deprecated takes it all the same';
	const media = jsonOf(content);
	if (content && !media) return `its body is ${shown(Object.keys(content)[0])}, and the node sends JSON`;
	const body = media && shapeOf(media.schema);
	if (body && (body.type !== 'object' || body.properties.size === 0)) return 'its body is not an object with known properties';
	const response = responseOf(found);
	if (typeof response === 'string') return response;
	const present = presentOf(found);
	if (present && !names.again) return 'it is there already';
	const named = present && !names.name ? present : namesOf(found, names, response.shape);
	if (present && (present.operation.name !== named.operation.name || present.resource.value !== named.resource.value))
		return `it is there as "${present.resource.name}: ${present.operation.name}", a name that stays`;
	if (named.resource.value === '' || named.operation.value === '') return 'rules find no name for it: give --resource and --name';
	const noun = inSentence(wordsOf(named.resource.name));
	const others = parameters.filter(({ in: place, name: header }) => place !== 'header' || !IGNORED_HEADERS.test(header));
	const candidates = [...others.map((each) => sentByParameter(each, noun)), ...(body ? sentInBody(body, noun) : [])];
	const refusals = candidates.filter((each) => 'why' in each);
	const refused = refusals.find(({ required }) => required);
	if (refused) return `a required parameter is not supported: ${refused.why}`;
	const values = candidates.filter((each) => 'field' in each);
	const optional = values.filter(({ required }) => !required);
	// What is required in the document's order, the rest as n8n's collections are, by name.
	optional.sort((a, b) => a.field.displayName.localeCompare(b.field.displayName));
	const sent = new Map<string, Sent>();
	for (const value of [...values.filter(({ required }) => required), ...optional]) {
		const { name } = value.field;
		if (!sent.has(name)) sent.set(name, value);
		else if (value.required) return `two of its parameters would have the name ${name}`;
		else refusals.push({ why: `${shown(value.name)} would have the name of another parameter`, required: false });
	}
	const url = path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${fieldNameOf(name)}}`);
	if (!/^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~:@!$&'()*+,;=-]|\{\w+\})+)+\/?$/.test(url)) return `its path can't be used: ${shown(path)}`;
	const missing = [...url.matchAll(/\{(\w+)\}/g)].find(([, name]) => sent.get(name!)?.place !== 'path');
	if (missing) return `its document does not describe the path parameter ${missing[0]}`;
	const words = [...idWords(found), ...wordsOf(path.split('/').at(-1)!)];
	const about = `${words.join(' ')} ${String(summary ?? '')}`;
	// A GET reads, unless its words begin with another verb: some providers send with it.
	const reads = method === 'GET' && ![idWords(found)[0], words.at(-1), wordsOf(String(summary ?? ''))[0]].some((verb = '') => ACTS.test(verb));
	const onlyChanges = isRepeatable(idWords(found)) || LOSES.test(words.at(-1)!);
	const costs = method === 'GET' || (!onlyChanges && (COSTS.test(about) || (method === 'POST' && SENDS.test(about))));
	const stake = reads ? undefined : method === 'DELETE' || LOSES.test(about) ? 'loss' : costs ? 'money' : undefined;
	return {
		...named,
		found,
		description: (sentenceOf(summary) || sentenceOf(description) || named.action) + (operation.deprecated ? ' (deprecated)' : ''),
		url,
		sent: [...sent.values()],
		leftOut: refusals.map(({ why }) => why),
		response,
		reads,
		creates: (method === 'POST' && (!onlyChanges || stake === 'money')) || (method === 'GET' && !reads),
		stake,
	};
}

/** What a body or a response consists of, by content type. */
interface Content {
	content?: Record<string, { schema?: object }>;
}

const jsonOf = (content: Content['content'] = {}) => Object.entries(content).find(([type]) => JSON_TYPE.test(type))?.[1];

function responseOf({ path, operation: { responses = {} } }: Found): Draft['response'] | string {
	const good = Object.entries(responses as Record<string, Content>).filter(([code]) => /^2/.test(code));
	const [status, { content = {} }] =
		good.find(([, response]) => response.content) ?? good[0] ?? (['200', responses.default ?? {}] as [string, Content]);
	const [type] = Object.keys(content);
	if (type === undefined) return { status: '204' };
	// A response may also be of a type that is written in JSON.
	const media = jsonOf(content) ?? Object.entries(content).find(([each]) => /^application\/[\w.-]+\+json\b/i.test(each))?.[1];
	if (!media) return `its response is ${shown(type)}, and the node reads JSON`;
	const shape = shapeOf(media.schema);
	// What is not described is taken for an object, which it mostly is.
	const list = path.endsWith('}') ? undefined : listIn(shape);
	return { status: /^20[012]$/.test(status) ? status : '200', shape: { ...shape, type: shape.type ?? 'object' }, list };
}

/** The only list of objects of a response, unless something else would be lost, such as the cursor of the next page. */
function listIn({ properties }: Shape): string | undefined {
	const isCount = ([name, { type, properties: inner }]: [string, Shape]): boolean =>
		type === 'object' ? inner.size > 0 && [...inner].every(isCount) : /^(?:integer|boolean)$/.test(type ?? '') && /page|total|count|limit|offset|size|more/i.test(name);
	const [list, ...others] = [...properties].filter((each) => !isCount(each));
	return others.length === 0 && list?.[1].items?.type === 'object' ? list[0] : undefined;
}
