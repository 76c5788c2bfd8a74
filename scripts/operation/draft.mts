import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { Failure } from '../bootstrap/failure.mjs';
import type { Endpoint } from './document.mts';
import { toFieldName, type SentValue, createParameterValue, createBodyValues } from './fields.mts';
import { createActionText, type NamePair, resourceOf, listTitles } from './names.mts';
import { type Shape, shapeOf } from './shape.mts';
import { toCamelCase, isUnsafe, sentencesOf, quote, wordsOf } from './text.mts';

/** An operation of the node, before its files are written. */
export interface Draft {
	source: Endpoint;
	resource: NamePair;
	operation: NamePair;
	action: string;
	/** What the document says of it; the first is its description. */
	sentences: string[];
	/** Whether it only reads, as far as its method and its words say. */
	isRead: boolean;
	url: string;
	values: SentValue[];
	/** Optional parameters that no field can send, and why. */
	omissions: string[];
	status: string;
	response: Shape | undefined;
}

/** OpenAPI says to ignore these as parameters; the node sets them. */
const IGNORED_HEADERS = /^(?:accept|authorization|content-type)$/i;
/** With some providers, a GET sends or orders something. */
const READ_VERB = /^(?:get|list|retrieve|return|read|fetch|find|search|show|view|check|query|lookup|count)s?$/i;

const OPERATIONS = RESOURCES.flatMap((resource) => resource.operations.map(({ option }) => ({ resource, option })));

/** What each operation of a document would become, or why it can't. */
export function createDrafts(operations: Endpoint[]): Array<Draft | string> {
	const usedNames = new Set(OPERATIONS.map(({ resource, option }) => `${resource.value} ${String(option.value)}`));
	return operations.map((operation) => {
		try {
			return createDraft(operation, usedNames);
		} catch (error) {
			return error instanceof Failure ? error.message : `it is not valid OpenAPI: ${(error as Error).message}`;
		}
	});
}

function createDraft(source: Endpoint, usedNames: Set<string>): Draft {
	const { path, method, id, operation } = source;
	if (operation.deprecated) throw new Failure('it is deprecated');
	const duplicate = OPERATIONS.find(({ option: { routing } }) => isSameRequest(routing.request, source));
	if (duplicate) throw new Failure(`it exists as "${duplicate.resource.name}: ${duplicate.option.name}"`);
	const { values, omissions } = collectValues(source, bodyOf(source));
	const { status, response } = responseOf(source);
	const resource = resourceOf(source);
	const titles = listTitles(source, resource.name, response?.type === 'array');
	const names = titles.map((name) => ({ name, value: toCamelCase(wordsOf(name)) }));
	const isFree = ({ value }: NamePair) => value !== '' && !usedNames.has(`${resource.value} ${value}`);
	const name = resource.value === '' ? undefined : names.find(isFree);
	if (!name) throw new Failure('it has no name of its own: give it a tag and a summary in the document');
	usedNames.add(`${resource.value} ${name.value}`);
	const action = createActionText(name.name, resource.name);
	const sentences = [...sentencesOf(operation.summary), ...sentencesOf(operation.description)];
	const [firstWord = ''] = /[A-Z]?[a-z]+/.exec(sentences[0] ?? id) ?? [];
	return {
		...{ source, resource, operation: name, action, values, omissions, status, response, url: urlOf(path, values) },
		sentences: [...new Set(sentences.length > 0 ? sentences : [action])],
		isRead: method === 'GET' && READ_VERB.test(firstWord),
	};
}

/** Whether two requests are the same, with or without an optional part of the path. */
function isSameRequest(existing: { method: string; url: string }, { method, path }: Endpoint): boolean {
	const patternOf = (url: string) => url.toLowerCase().replace(/\{[^{}]*\}/g, '{}');
	const urls = [existing.url.replaceAll('{/', '/{'), existing.url.replace(/\{\/\w+\}/g, '')];
	return existing.method === method && urls.map(patternOf).includes(patternOf(path));
}

function collectValues({ parameters }: Endpoint, body: Shape | undefined): Pick<Draft, 'values' | 'omissions'> {
	const inputs = parameters.filter(({ in: place, name }) => place !== 'header' || !IGNORED_HEADERS.test(name));
	const fieldNames = new Set<string>();
	const isNew = ({ field: { name } }: SentValue) => fieldNames.size < fieldNames.add(name).size;
	const candidates = [...inputs.map(createParameterValue), ...(body ? createBodyValues(body) : [])].map((each) => {
		if ('reason' in each || isNew(each)) return each;
		return { reason: `${quote(each.name)} has the name of another one in the node`, required: each.required };
	});
	const unsupported = candidates.filter((each) => 'reason' in each);
	const missingRequired = unsupported.find(({ required }) => required);
	if (missingRequired) throw new Failure(`a required parameter is not supported: ${missingRequired.reason}`);
	const values = candidates.filter((each) => 'field' in each);
	if (body && !values.some(({ place }) => place === 'body'))
		throw new Failure('its body has no property that a field can send');
	return { values, omissions: unsupported.map((each) => each.reason) };
}

function urlOf(path: string, values: SentValue[]): string {
	const url = path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${toFieldName(name)}}`);
	if (isUnsafe(path) || !/^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~:@!$&'()*+,;=-]|\{\w+\})+)+\/?$/.test(url))
		throw new Failure(`its path can't be used: ${quote(path)}`);
	const pathNames = values.filter(({ place }) => place === 'path').map(({ name }) => name);
	const unknownParameter = [...url.matchAll(/\{(\w+)\}/g)].find(([, name]) => !pathNames.includes(name!));
	if (unknownParameter) throw new Failure(`its document does not describe the path parameter ${unknownParameter[0]}`);
	return url;
}

type Media = { schema?: object; example?: unknown; examples?: Record<string, { value?: unknown }> };
type Message = { content?: Record<string, Media>; headers?: object; required?: boolean };

/** The content of a JSON type; a response may have one such as application/hal+json. */
const jsonContentOf = (content: Record<string, Media>, type = /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)\b/i) =>
	Object.entries(content).find(([each]) => type.test(each))?.[1];

function bodyOf({ method, operation: { requestBody } }: Endpoint): Shape | undefined {
	const { content = {}, required } = (requestBody ?? {}) as Message;
	const [type] = Object.keys(content);
	if (type === undefined || (method === 'GET' && !required)) return undefined;
	const media = jsonContentOf(content, /^(?:application\/json|\*\/\*)\s*(?:;|$)/i);
	if (!media || method === 'GET')
		throw new Failure(`its body is ${quote(type)}, but the node sends JSON, and none of a GET`);
	const body = shapeOf(media.schema);
	if (!body.isKnown) throw new Failure('its body has one of several forms (oneOf, anyOf)');
	if (Object.keys(body.properties).length === 0) throw new Failure('its body is no object with known properties');
	const [{ value } = { value: media.example }] = Object.values(media.examples ?? {});
	return { ...body, example: value ?? body.example };
}

function responseOf({ method, parameters, operation }: Endpoint): Pick<Draft, 'status' | 'response'> {
	const { default: defaultResponse = {}, ...responsesByStatus } = (operation.responses ?? {}) as Record<
		string,
		Message
	>;
	const successes = Object.entries(responsesByStatus).filter(([code]) => /^2/.test(code));
	const [status, message] = successes.find(([, { content }]) => content) ?? successes[0] ?? ['200', defaultResponse];
	const { content = {}, headers = {} } = message;
	const pageHeader = Object.keys(headers).find((name) => /^link$|next|cursor|page.?token/i.test(name));
	if (pageHeader && !parameters.some(({ name }) => /^(?:page|offset|start|skip)/i.test(name)))
		throw new Failure(`its next page is named in a response header (${pageHeader}), which is no output of the node`);
	const [type] = Object.keys(content);
	if (type === undefined && method === 'GET') throw new Failure('its response has no body to output');
	if (type === undefined) return { status: '204', response: undefined };
	const media = jsonContentOf(content);
	const shape = shapeOf(media?.schema, 'writeOnly', 2);
	if (!media || shape.format === 'binary') throw new Failure(`its response is ${quote(type)}, and the node reads JSON`);
	// Without a type, it is most likely an object.
	return { status: /^20[012]$/.test(status) ? status : '200', response: { ...shape, type: shape.type ?? 'object' } };
}
