import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { Failure } from '../bootstrap/failure.mjs';
import type { Found } from './document.mts';
import { fieldNameOf, type Sent, sentByParameter, sentInBody } from './fields.mts';
import { actionOf, type Names, resourceOf, titlesOf } from './names.mts';
import { type Shape, shapeOf } from './shape.mts';
import { camelCase, isUnsafe, sentencesOf, shown, wordsOf } from './text.mts';

/** An operation of the node, before its files are written. */
export interface Draft {
	found: Found;
	resource: Names;
	operation: Names;
	action: string;
	/** What the document says of it; the first is its description. */
	sentences: string[];
	/** Whether it only reads, as far as its method and its words say. */
	reads: boolean;
	url: string;
	sent: Sent[];
	/** Optional parameters that no field can send, and why. */
	leftOut: string[];
	status: string;
	response: Shape | undefined;
}

/** OpenAPI says to ignore these as parameters; the node sets them. */
const IGNORED_HEADERS = /^(?:accept|authorization|content-type)$/i;
/** With some providers, a GET sends or orders something. */
const READS = /^(?:get|list|retrieve|return|read|fetch|find|search|show|view|check|query|lookup|count)s?$/i;

const PRESENT = RESOURCES.flatMap((resource) => resource.operations.map(({ option }) => ({ resource, option })));

/** What each operation of a document would become, or why it can't. */
export function draftsOf(all: Found[]): Array<Draft | string> {
	const taken = new Set(PRESENT.map(({ resource, option }) => `${resource.value} ${String(option.value)}`));
	return all.map((found) => {
		try {
			return draftOf(found, taken);
		} catch (error) {
			return error instanceof Failure ? error.message : `it is not valid OpenAPI: ${(error as Error).message}`;
		}
	});
}

function draftOf(found: Found, taken: Set<string>): Draft {
	const { path, method, id, operation } = found;
	if (operation.deprecated) throw new Failure('it is deprecated');
	const same = PRESENT.find(({ option: { routing } }) => isSame(routing.request, found));
	if (same) throw new Failure(`it exists as "${same.resource.name}: ${same.option.name}"`);
	const { sent, leftOut } = sentOf(found, bodyOf(found));
	const { status, response } = responseOf(found);
	const resource = resourceOf(found);
	const titles = titlesOf(found, resource.name, response?.type === 'array');
	const names = titles.map((name) => ({ name, value: camelCase(wordsOf(name)) })).filter(({ value }) => value !== '');
	const named = names.find(({ value }) => resource.value !== '' && !taken.has(`${resource.value} ${value}`));
	if (!named) throw new Failure('it has no name of its own: give it a tag and a summary in the document');
	taken.add(`${resource.value} ${named.value}`);
	const action = actionOf(named.name, resource.name);
	const said = [...sentencesOf(operation.summary), ...sentencesOf(operation.description)];
	const [first = ''] = /[A-Z]?[a-z]+/.exec(said[0] ?? id) ?? [];
	return {
		...{ found, resource, operation: named, action, sent, leftOut, status, response, url: urlOf(path, sent) },
		sentences: [...new Set(said.length > 0 ? said : [action])],
		reads: method === 'GET' && READS.test(first),
	};
}

/** Whether two requests are the same, with or without an optional part of the path. */
function isSame(present: { method: string; url: string }, { method, path }: Found): boolean {
	const patternOf = (url: string) => url.toLowerCase().replace(/\{[^{}]*\}/g, '{}');
	const urls = [present.url.replaceAll('{/', '/{'), present.url.replace(/\{\/\w+\}/g, '')];
	return present.method === method && urls.map(patternOf).includes(patternOf(path));
}

function sentOf({ parameters }: Found, body: Shape | undefined): Pick<Draft, 'sent' | 'leftOut'> {
	const others = parameters.filter(({ in: place, name }) => place !== 'header' || !IGNORED_HEADERS.test(name));
	const names = new Set<string>();
	const isNew = ({ field: { name } }: Sent) => names.size < names.add(name).size;
	const why = (name: string) => `${shown(name)} has the name of another one in the node`;
	const all = [...others.map(sentByParameter), ...(body ? sentInBody(body) : [])].map((each) =>
		'why' in each || isNew(each) ? each : { why: why(each.name), required: each.required },
	);
	const unsupported = all.filter((each) => 'why' in each);
	const blocking = unsupported.find(({ required }) => required);
	if (blocking) throw new Failure(`a required parameter is not supported: ${blocking.why}`);
	const sent = all.filter((each) => 'field' in each);
	if (body && !sent.some(({ place }) => place === 'body'))
		throw new Failure('its body has no property that a field can send');
	return { sent, leftOut: unsupported.map((each) => each.why) };
}

function urlOf(path: string, sent: Sent[]): string {
	const url = path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${fieldNameOf(name)}}`);
	if (isUnsafe(path) || !/^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~:@!$&'()*+,;=-]|\{\w+\})+)+\/?$/.test(url))
		throw new Failure(`its path can't be used: ${shown(path)}`);
	const inPath = sent.filter(({ place }) => place === 'path').map(({ name }) => name);
	const missing = [...url.matchAll(/\{(\w+)\}/g)].find(([, name]) => !inPath.includes(name!));
	if (missing) throw new Failure(`its document does not describe the path parameter ${missing[0]}`);
	return url;
}

type Media = { schema?: object; example?: unknown; examples?: Record<string, { value?: unknown }> };
type Message = { content?: Record<string, Media>; headers?: object; required?: boolean };

/** The content of a JSON type; a response may have one such as application/hal+json. */
const jsonOf = (content: Record<string, Media>, type = /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)\b/i) =>
	Object.entries(content).find(([each]) => type.test(each))?.[1];

function bodyOf({ method, operation: { requestBody } }: Found): Shape | undefined {
	const { content = {}, required } = (requestBody ?? {}) as Message;
	const [type] = Object.keys(content);
	if (type === undefined || (method === 'GET' && !required)) return undefined;
	const media = jsonOf(content, /^(?:application\/json|\*\/\*)\s*(?:;|$)/i);
	if (!media || method === 'GET')
		throw new Failure(`its body is ${shown(type)}, but the node sends JSON, and none of a GET`);
	const body = shapeOf(media.schema);
	if (!body.isKnown) throw new Failure('its body has one of several forms (oneOf, anyOf)');
	if (Object.keys(body.properties).length === 0) throw new Failure('its body is no object with known properties');
	const [{ value } = { value: media.example }] = Object.values(media.examples ?? {});
	return { ...body, example: value ?? body.example };
}

function responseOf({ method, parameters, operation: { responses = {} } }: Found): Pick<Draft, 'status' | 'response'> {
	const { default: usual = {}, ...others } = responses as Record<string, Message>;
	const good = Object.entries(others).filter(([code]) => /^2/.test(code));
	const [status, message] = good.find(([, { content }]) => content) ?? good[0] ?? ['200', usual];
	const { content = {}, headers = {} } = message;
	const token = Object.keys(headers).find((name) => /^link$|next|cursor|page.?token/i.test(name));
	if (token && !parameters.some(({ name }) => /^(?:page|offset|start|skip)/i.test(name)))
		throw new Failure(`its next page is named in a response header (${token}), which is no output of the node`);
	const [type] = Object.keys(content);
	if (type === undefined && method === 'GET') throw new Failure('its response has no body to output');
	if (type === undefined) return { status: '204', response: undefined };
	const media = jsonOf(content);
	const shape = shapeOf(media?.schema, 'writeOnly', 2);
	if (!media || shape.format === 'binary') throw new Failure(`its response is ${shown(type)}, and the node reads JSON`);
	// Without a type, it is most likely an object.
	return { status: /^20[012]$/.test(status) ? status : '200', response: { ...shape, type: shape.type ?? 'object' } };
}
