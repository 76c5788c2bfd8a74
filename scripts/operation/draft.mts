import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { isObject } from '../../nodes/VoiceAdmin/json';
import { type Found, Unsupported } from './document.mts';
import { type Effects, effectsOf } from './effects.mts';
import { actionOf, shown, titleCase, wordsOf } from './english.mts';
import { fieldNameOf, type Sent, sentByParameter, sentInBody } from './fields.mts';
import { called, type DraftOptions, type Named, namesOf, nameWords, presentOf, sentencesOf } from './names.mts';
import { type Shape, shapeOf } from './shape.mts';

/** An operation of the node, before its files are written. */
export interface Draft extends Named, Effects {
	found: Found;
	description: string;
	/** With the fields' names as path parameters. */
	url: string;
	sent: Sent[];
	/** Optional parameters that no field can send, and why. */
	leftOut: string[];
	response: { status: string; shape?: Shape };
}

/** OpenAPI says to ignore these as parameters; the node sets them. */
const IGNORED_HEADERS = /^(?:accept|authorization|content-type)$/i;
const JSON_TYPE = /^(?:application\/json|\*\/\*)\s*(?:;|$)/i;

/** What each operation of a document would become, or why it can't. */
export function draftsOf(all: Found[], options: DraftOptions = {}): Array<Draft | string> {
	const drafts = all.map((found) => {
		try {
			return draftOf(found, options);
		} catch (error) {
			// RULES let some invalid operations through.
			return error instanceof Unsupported ? error.message : 'it is not valid OpenAPI';
		}
	});
	const made = drafts.filter((draft) => typeof draft === 'object');
	if (!options.name) makeTitlesUnique(made, options.force ? [] : PRESENT.map(({ title }) => title));
	const values = new Set<string>();
	return drafts.map((draft) => {
		if (typeof draft === 'string') return draft;
		const value = valueOf(draft);
		if (!options.force && PRESENT.some((each) => each.value === value)) return 'it exists already';
		if (values.has(value) && !options.name)
			return 'another operation of the document has the same name: choose one with --name';
		values.add(value);
		return draft;
	});
}

const valueOf = ({ resource, operation }: Named) => `${resource.value} ${operation.value}`;
const titleOf = ({ resource, operation }: Named) => `${resource.name}: ${operation.name}`;

/** The operations of the package: their names in the editor and in workflows. */
const PRESENT = RESOURCES.flatMap(({ name, value, operations }) =>
	operations.map(({ option }) => ({ title: `${name}: ${option.name}`, value: `${value} ${option.value}` })),
);

/** Of several operations called "Get", the one with the shortest path keeps the name; the others are named after their ids. */
function makeTitlesUnique(drafts: Draft[], present: string[]): void {
	const taken = new Set(present);
	for (const draft of [...drafts].sort((a, b) => a.url.length - b.url.length)) {
		const words = nameWords(draft.found);
		const { id } = draft.found;
		const by = /\{(\w+)\}/.exec(draft.url)?.[1];
		const named = words.length > 1 ? words : [...words, ...wordsOf(draft.resource.name)];
		const about = sentencesOf(draft.found);
		const longer = by === undefined ? [] : [{ words: [...named, 'by', ...wordsOf(by)], about: [] }];
		for (const other of [{ words: named, about }, ...longer, { words: wordsOf(id), about }]) {
			if (!taken.has(titleOf(draft))) break;
			Object.assign(draft, called(draft.resource, titleCase(other.words, draft.description), other.about));
		}
		taken.add(titleOf(draft));
	}
}

function draftOf(found: Found, options: DraftOptions): Draft {
	const { path, operation } = found;
	const { security } = operation;
	const deprecated = isDeprecated(operation);
	if (/login|oauth|access.?token/i.test(path) && security?.length === 0)
		throw new Unsupported('it is the login, which the credential does');
	if (deprecated && !options.deprecated) throw new Unsupported('it is deprecated: add --deprecated to accept it');
	const body = bodyOf(found);
	const response = responseOf(found);
	const named = nameOf(found, options, response.shape);
	const { sent, leftOut } = sentOf(found, body);
	const effects = effectsOf(found, sent);
	if (found.method === 'POST' && effects.creates && sent.length === 0)
		throw new Unsupported('its document does not describe what it sends');
	const told = sentencesOf(found).filter((each) => !/^(?:Represents|Is) /.test(each));
	const about = told.find(actionOf) ?? told[0] ?? named.action;
	const url = urlOf(path, sent);
	return {
		...named,
		...effects,
		found,
		description: about + (deprecated ? ' (deprecated)' : ''),
		url,
		sent,
		leftOut,
		response,
	};
}

/** Some providers say it in words of their own. */
function isDeprecated({ deprecated, summary = '', operationId = '', ...others }: Found['operation']): boolean {
	const said = others as Record<string, unknown>;
	return (
		deprecated ??
		(said['x-is-deprecated'] === true ||
			said['x-deprecated'] === true ||
			/^deprecated/i.test(`${operationId || summary}`))
	);
}

/** The name of an operation. An existing operation keeps its name. */
function nameOf(found: Found, options: DraftOptions, response?: Shape): Named {
	const present = presentOf(found);
	if (present && !options.force) throw new Unsupported('it exists already');
	const named = present && !options.name ? present : namesOf(found, options, response);
	if (present && (present.operation.name !== named.operation.name || present.resource.value !== named.resource.value))
		throw new Unsupported(
			`it exists as "${present.resource.name}: ${present.operation.name}", and names are permanent`,
		);
	if (named.resource.value === '' || named.operation.value === '')
		throw new Unsupported('no name was found for it: choose --resource and --name');
	return named;
}

/** What the fields send: required values in the document's order, then optional ones sorted by name, as in n8n's collections. */
function sentOf({ parameters }: Found, body: Shape | undefined): Pick<Draft, 'sent' | 'leftOut'> {
	const others = parameters.filter(({ in: place, name }) => place !== 'header' || !IGNORED_HEADERS.test(name));
	const candidates = [...others.map(sentByParameter), ...(body ? sentInBody(body) : [])];
	const unsupported = candidates.filter((each) => 'why' in each);
	const blocking = unsupported.find(({ required }) => required);
	if (blocking) throw new Unsupported(`a required parameter is not supported: ${blocking.why}`);
	const leftOut = unsupported.map(({ why }) => why);
	const values = candidates.filter((each) => 'field' in each);
	const optional = values
		.filter(({ required }) => !required)
		.sort((a, b) => a.field.displayName.localeCompare(b.field.displayName));
	const sent = new Map<string, Sent>();
	for (const value of [...values.filter(({ required }) => required), ...optional]) {
		const { name } = value.field;
		if (!sent.has(name)) sent.set(name, value);
		else if (value.required) throw new Unsupported(`two of its parameters would have the name ${name}`);
		else leftOut.push(`${shown(value.name)} would have the name of another parameter`);
	}
	return { sent: [...sent.values()], leftOut };
}

/** The path, with the fields' names as parameters. */
function urlOf(path: string, sent: Sent[]): string {
	const url = path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${fieldNameOf(name)}}`);
	if (!/^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~:@!$&'()*+,;=-]|\{\w+\})+)+\/?$/.test(url))
		throw new Unsupported(`its path can't be used: ${shown(path)}`);
	const inPath = sent.filter(({ place }) => place === 'path').map(({ field }) => field.name);
	const missing = [...url.matchAll(/\{(\w+)\}/g)].find(([, name]) => !inPath.includes(name!));
	if (missing) throw new Unsupported(`its document does not describe the path parameter ${missing[0]}`);
	return url;
}

/** The content of a body or a response, by media type. */
interface Content {
	content?: Record<string, { schema?: object; example?: unknown; examples?: Record<string, { value?: unknown }> }>;
}

function jsonOf(content: Content['content'] = {}) {
	const all = Object.entries(content).flatMap(([type, each]) => (JSON_TYPE.test(type) ? [each] : []));
	return all.find(({ schema }) => schema) ?? all[0];
}

function bodyOf({ operation: { requestBody } }: Found): Shape | undefined {
	const { content } = (requestBody ?? {}) as Content;
	if (!content) return undefined;
	const media = jsonOf(content);
	if (!media) throw new Unsupported(`its body is ${shown(Object.keys(content)[0])}, but the node sends JSON`);
	const [{ value: example } = { value: media.example }] = Object.values(media.examples ?? {});
	const body = shapeOf({ ...(isObject(example) && { example }), ...media.schema });
	if (body.type !== 'object' || body.properties.size === 0)
		throw new Unsupported('its body is not an object with known properties');
	return body;
}

function responseOf({ method, operation: { responses = {} } }: Found): Draft['response'] {
	const good = Object.entries(responses as Record<string, Content>).filter(([code]) => /^2/.test(code));
	const [status, { content = {} }] =
		good.find(([, response]) => response.content) ?? good[0] ?? (['200', responses.default ?? {}] as [string, Content]);
	if (status === '204' && method === 'GET') throw new Unsupported('its response has no body to output');
	const [type] = Object.keys(content);
	if (type === undefined) return { status: '204' };
	// A response may also have a JSON-based media type, such as application/hal+json.
	const media =
		jsonOf(content) ?? Object.entries(content).find(([each]) => /^application\/[\w.-]+\+json\b/i.test(each))?.[1];
	if (!media) throw new Unsupported(`its response is ${shown(type)}, but the node reads JSON`);
	const shape = shapeOf(media.schema);
	if ('contentMediaType' in shape) throw new Unsupported('its response is a file, but the node reads JSON');
	// Without a type, it is most likely an object.
	return {
		status: /^20[012]$/.test(status) ? status : '200',
		shape: { ...shape, type: shape.type ?? 'object' },
	};
}
