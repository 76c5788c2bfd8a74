import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { Found } from './document.mts';
import { camelCase, inSentence, sentenceOf, titleCase, wordsOf } from './english.mts';
import { type Sent, sentByParameter, sentInBody } from './fields.mts';
import { idWords, type Named, type Names, namesOf } from './names.mts';
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
	creates: boolean;
	warns: boolean;
}
/** OpenAPI ignores these: the node sets them. */
const IGNORED_HEADERS = /^(?:accept|authorization|content-type)$/i;
const COSTS = /\b(?:buy|purchase|order|charge|bill|billed|invoice|pay|payment|premium|port|subscribe)\b/i;
const JSON_TYPE = /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)\s*(?:;|$)/i;

/** What each operation of a document would become, or a sentence that says why it can't be one. */
export function draftsOf(all: Found[], names: Names = {}): Array<Draft | string> {
	const drafts = all.map((found) => draftOf(found, names));
	// Of several "Get" of a resource the one with the shortest path is it; the others are named by their ids.
	const byLength = drafts.filter((draft) => typeof draft === 'object').sort((a, b) => a.url.length - b.url.length);
	const isSame = (a: Draft) => (b: Draft) => a.resource.value === b.resource.value && a.operation.value === b.operation.value;
	return drafts.map((draft) => {
		if (typeof draft === 'string' || names.name || (byLength.find(isSame(draft)) === draft && (names.again || !isTaken(draft))))
			return draft;
		return { ...draft, ...namesOf(draft.found, { ...names, name: titleCase(idWords(draft.found)) }, draft.response.shape) };
	});
}

/** Whether the package has an operation of this name. */
const isTaken = ({ resource, operation }: Draft) =>
	RESOURCES.some(
		({ value, operations }) => value === resource.value && operations.some(({ option }) => option.value === operation.value),
	);

function draftOf(found: Found, names: Names): Draft | string {
	const { method, path, parameters, operation } = found;
	const { callbacks, description, summary } = operation;
	const content = (operation.requestBody as Content | undefined)?.content;
	if (!names.again && isThere(method, path)) return 'it is there already';
	if (/login|oauth|access.?token/i.test(path) && operation.security?.length === 0) return 'the credential logs in';
	if (callbacks && Object.keys(callbacks).length > 0) return 'the service would call back';
	const media = jsonOf(content);
	if (content && !media) return `its body is ${Object.keys(content)[0]}, and the node sends JSON`;
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
	if (refused) return `it requires a value that no field can send: ${refused.why}`;
	const sent = candidates.filter((each) => 'field' in each);
	const twice = sent.find(({ field }, index) => sent.findIndex((other) => other.field.name === field.name) !== index);
	if (twice) return `two of its parameters would have the name ${twice.field.name}`;
	const url = path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${camelCase(wordsOf(name))}}`);
	if (!/^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~:@!$&'()*+,;=%-]|\{\w+\})+)+\/?$/.test(url))
		return `its path can't be used: ${JSON.stringify(path.slice(0, 100))}`;
	const missing = [...url.matchAll(/\{(\w+)\}/g)].find(([, name]) => !sent.some((each) => each.place === 'path' && each.name === name));
	if (missing) return `its document does not describe the part ${missing[0]} of the path`;
	const optional = sent.filter(({ required }) => !required);
	return {
		...named,
		found,
		description: sentenceOf(summary) || sentenceOf(description) || named.action,
		url,
		sent: [
			...sent.filter(({ required }) => required),
			...optional.sort((a, b) => a.field.displayName.localeCompare(b.field.displayName)),
		],
		leftOut: refusals.map(({ why }) => why),
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

/** What a body or a response consists of, by content type. */
interface Content {
	content?: Record<string, { schema?: object }>;
}

const jsonOf = (content: Content['content'] = {}) => Object.entries(content).find(([type]) => JSON_TYPE.test(type))?.[1];

function responseOf({ responses = {} }: Found['operation']): Draft['response'] | string {
	const [status = '200', response] = Object.entries(responses).find(([code]) => /^2/.test(code)) ?? [];
	const { content = {} } = (response ?? {}) as Content;
	const media = jsonOf(content);
	if (!media && Object.keys(content).length > 0) return `its response is ${Object.keys(content)[0]}, and the node reads JSON`;
	if (!media) return { status: '204' };
	const shape = shapeOf(media.schema);
	// What is not described is taken for an object, which it mostly is.
	return {
		status: /^20[012]$/.test(status) ? status : '200',
		shape: { ...shape, kind: shape.kind === 'undecided' ? 'object' : shape.kind },
	};
}
