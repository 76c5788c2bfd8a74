import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { Found } from './document.mts';
import { inSentence, sentenceOf, titleCase, wordsOf } from './english.mts';
import { fieldNameOf, type Sent, sentByParameter, sentInBody } from './fields.mts';
import { idWords, isReading, type Named, type Names, namesOf } from './names.mts';
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
	response: { status: string; shape?: Shape };
	/** What the documented operation does, as far as its method and its words say. */
	reads: boolean;
	creates: boolean;
	warns: boolean;
}

/** OpenAPI ignores these: the node sets them. */
const IGNORED_HEADERS = /^(?:accept|authorization|content-type)$/i;
const COSTS = /\b(?:buy|purchase|order|charge|bill|billed|invoice|pay|payment|premium|port|subscribe)\b/i;
const JSON_TYPE = /^(?:application\/json|\*\/\*)\s*(?:;|$)/i;
const JSON_RESPONSE = /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)\s*(?:;|$)/i;

/** What each operation of a document would become, or a sentence that says why it can't be one. */
export function draftsOf(all: Found[], names: Names = {}): Array<Draft | string> {
	const drafts = all.map((found) => {
		try {
			return draftOf(found, names);
		} catch {
			return 'its description is not valid OpenAPI';
		}
	});
	// Of several "Get" of a resource the one with the shortest path is it; the others are named by their ids.
	const byLength = drafts.filter((draft) => typeof draft === 'object').sort((a, b) => a.url.length - b.url.length);
	const keyOf = ({ resource, operation }: Draft) => `${resource.name}: ${operation.name}`;
	const taken = names.again ? [] : RESOURCES.flatMap(({ name, operations }) => operations.map(({ option }) => `${name}: ${option.name}`));
	return drafts.map((draft) => {
		if (typeof draft === 'string' || names.name) return draft;
		const isFirst = byLength.find((other) => keyOf(other) === keyOf(draft)) === draft && !taken.includes(keyOf(draft));
		return isFirst
			? draft
			: { ...draft, ...namesOf(draft.found, { ...names, name: titleCase(idWords(draft.found)) }, draft.response.shape) };
	});
}

function draftOf(found: Found, names: Names): Draft | string {
	const { method, path, parameters, operation } = found;
	const { callbacks, description, summary } = operation;
	const content = (operation.requestBody as Content | undefined)?.content;
	if (!names.again && isThere(method, path)) return 'it is there already';
	if (/login|oauth|access.?token/i.test(path) && operation.security?.length === 0) return 'it is the login, which the credential does';
	if (callbacks && Object.keys(callbacks).length > 0) return 'it uses callbacks, which are not supported';
	const media = jsonOf(content, JSON_TYPE);
	if (content && !media) return `its body is ${shown(Object.keys(content)[0])}, and the node sends JSON`;
	const body = media && shapeOf(media.schema);
	if (body && (body.kind !== 'object' || body.properties.size === 0)) return 'its body is not an object with known properties';
	const response = responseOf(operation);
	if (typeof response === 'string') return response;
	const named = namesOf(found, names, response.shape);
	if (named.resource.value === '' || named.operation.value === '') return 'rules find no name for it: give --resource and --name';
	const noun = inSentence(wordsOf(named.resource.name));
	const others = parameters.filter(({ in: place, name: header }) => place !== 'header' || !IGNORED_HEADERS.test(header));
	const candidates = [...others.map((each) => sentByParameter(each, noun)), ...(body ? sentInBody(body, noun) : [])];
	const refusals = candidates.filter((each) => 'why' in each);
	const refused = refusals.find(({ required }) => required);
	if (refused) return `a required parameter is not supported: ${refused.why}`;
	const byName = new Map<string, Sent>();
	const values = candidates.filter((each) => 'field' in each);
	// What is required first, in the document's order; the rest as n8n's collections are, by name.
	values.sort(
		(a, b) => Number(b.required) - Number(a.required) || (a.required ? 0 : a.field.displayName.localeCompare(b.field.displayName)),
	);
	for (const value of values) {
		const other = byName.get(value.field.name);
		if (other && value.required) return `two of its parameters would have the name ${value.field.name}`;
		if (other) refusals.push({ why: `${shown(value.name)} would have the name of another parameter`, required: false });
		else byName.set(value.field.name, value);
	}
	const sent = [...byName.values()];
	const url = path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${fieldNameOf(name)}}`);
	if (!/^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~:@!$&'()*+,;=-]|\{\w+\})+)+\/?$/.test(url)) return `its path can't be used: ${shown(path)}`;
	const missing = [...url.matchAll(/\{(\w+)\}/g)].find(([, name]) => !sent.some((each) => each.place === 'path' && each.name === name));
	if (missing) return `its document does not describe the path parameter ${missing[0]}`;
	const reads = method === 'GET' && [idWords(found), wordsOf(String(summary ?? 'get'))].every(isReading);
	return {
		...named,
		found,
		description: sentenceOf(summary) || sentenceOf(description) || named.action,
		url,
		sent,
		leftOut: refusals.map(({ why }) => why),
		response,
		reads,
		creates: method === 'POST' || (method === 'GET' && !reads),
		warns: method === 'DELETE' || (!reads && (method === 'GET' || COSTS.test(`${inSentence(wordsOf(found.id))} ${summary}`))),
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

/** What a body or a response consists of, by content type. */
interface Content {
	content?: Record<string, { schema?: object }>;
}

const jsonOf = (content: Content['content'] = {}, json: RegExp) => Object.entries(content).find(([type]) => json.test(type))?.[1];

/** A text of the document, in a sentence. */
const shown = (text = '') => JSON.stringify(text.slice(0, 80));

function responseOf({ responses = {} }: Found['operation']): Draft['response'] | string {
	const good = Object.entries(responses as Record<string, Content>).filter(([code]) => /^2/.test(code));
	const [status, { content = {} }] =
		good.find(([, response]) => response.content) ?? good[0] ?? (['200', responses.default ?? {}] as [string, Content]);
	const media = jsonOf(content, JSON_RESPONSE);
	if (!media && Object.keys(content).length > 0) return `its response is ${shown(Object.keys(content)[0])}, and the node reads JSON`;
	if (!media) return { status: '204' };
	const shape = shapeOf(media.schema);
	// What is not described is taken for an object, which it mostly is.
	const kind = shape.kind === 'unsupported' ? 'object' : shape.kind;
	return { status: /^20[012]$/.test(status) ? status : '200', shape: { ...shape, kind } };
}
