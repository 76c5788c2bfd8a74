import { type Document, isScalar, type Node, parseDocument, Scalar, visit, type YAMLMap } from 'yaml';
import type { Draft } from './draft.mts';
import { camelCase, withPeriod, wordsOf } from './english.mts';
import type { Sent } from './fields.mts';
import { exampleOf, type Shape } from './shape.mts';

const OPENAPI = 'sandbox/openapi.yaml';

/**
 * The sandbox's document with operations added, each below the other methods of its path: texts by path from the root.
 * @param textOf of such a path, '' if there is no such file
 */
export async function sandboxFiles(
	drafts: Draft[],
	textOf: (file: string) => Promise<string>,
): Promise<Map<string, string>> {
	const openapi = parseDocument(await textOf(OPENAPI));
	const files = new Map([[OPENAPI, openapi]]);
	const paths = openapi.get('paths') as YAMLMap;
	for (const draft of drafts) {
		const { url, resource } = draft;
		const known = paths.getIn([url, '$ref']) as string | undefined;
		const file = known?.split('#')[0] ?? `paths/${resource.value}.yaml`;
		const name = `sandbox/${file}`;
		const document = files.get(name) ?? parseDocument((await textOf(name)) || '{}');
		files.set(name, document);
		if (!known)
			setPath(
				paths,
				url,
				openapi.createNode({ $ref: `${file}#/${encodeURI(url.replaceAll('~', '~0').replaceAll('/', '~1'))}` }),
			);
		addTo(document, draft);
	}
	return new Map([...files].map(([name, document]) => [name, document.toString({ lineWidth: 0 })]));
}

function setPath(paths: YAMLMap, url: string, item: Node): void {
	const path = new Scalar(url);
	path.spaceBefore = paths.items.length > 0;
	paths.set(path, item);
}

function addTo(document: Document, draft: Draft): void {
	const operation = document.createNode(documented(draft), { aliasDuplicateObjects: false });
	// In the document's style: examples and lists of scalars on one line.
	visit(operation, {
		Pair: (_, { key, value }) =>
			void (isScalar(key) && key.value === 'example' && Object.assign(value as object, { flow: true })),
		Seq: (_, node) => void (node.flow ||= node.items.every(isScalar)),
	});
	const paths = document.contents as YAMLMap;
	paths.flow = false;
	if (!paths.has(draft.url)) setPath(paths, draft.url, document.createNode({}));
	document.setIn([draft.url, draft.found.method.toLowerCase()], operation);
}

function documented({ found, url, resource, operation, description, sent, response }: Draft): object {
	const inBody = sent.filter(({ place }) => place === 'body');
	const inUrl = sent.filter(({ place }) => place !== 'body');
	const common = (name: string) => ({ $ref: `../openapi.yaml#/components/responses/${name}` });
	const json = (schema: object, example: unknown) => ({ content: { 'application/json': { schema, example } } });
	const sentExample = inBody
		.filter(({ required }, index) => required || index === 0)
		.map(({ name, example }) => [name, example] as const);
	const writes = found.method !== 'GET';
	return {
		operationId: camelCase([...wordsOf(operation.name), ...wordsOf(resource.name)]),
		tags: [resource.name],
		summary: description.replace(/[.…]$/, ''),
		...(writes && { security: [{ accessToken: ['write'] }] }),
		...(inUrl.length > 0 && {
			parameters: inUrl.map(({ name, place, required, shape, description: meaning, example, explode }) => ({
				...{ name, in: place, required, ...(meaning && { description: withPeriod(meaning) }) },
				...(shape.type === 'array' && { style: 'form', explode }),
				...{ schema: schemaOf(shape), example },
			})),
		}),
		...(inBody.length > 0 && {
			requestBody: { required: true, ...json(bodyOf(inBody), Object.fromEntries(sentExample)) },
		}),
		responses: {
			[response.status]: response.shape
				? { description: 'The response.', ...json(schemaOf(response.shape), exampleOf(response.shape)) }
				: { description: 'Done. There is no body.' },
			...((inBody.length > 0 || url.includes('{')) && { '400': common('BadRequest') }),
			'401': common('Unauthorized'),
			...(writes && { '403': common('Forbidden') }),
			...(inBody.length > 0 && { '413': common('PayloadTooLarge'), '415': common('UnsupportedMediaType') }),
			...{ '429': common('TooManyRequests'), '500': common('InternalServerError'), '502': common('BadGateway') },
			...{ '503': common('ServiceUnavailable'), '504': common('GatewayTimeout') },
		},
	};
}

function bodyOf(sent: Sent[]): object {
	const required = sent.filter((each) => each.required).map(({ name }) => name);
	const properties = sent.map(({ name, shape, description }) => [
		name,
		{ ...schemaOf(shape), ...(description && { description: withPeriod(description) }) },
	]);
	return {
		type: 'object',
		...(required.length > 0 && { required }),
		properties: Object.fromEntries(properties) as object,
	};
}

/** A value's schema in the document. Undefined properties aren't written. */
function schemaOf(shape: Shape): object {
	const { type, nullable, enum: choices, minimum, maximum, items, properties, required } = shape;
	if (!type) return {};
	const known = required.filter((name) => properties.has(name));
	return {
		type: nullable ? [type, 'null'] : type,
		enum: choices && nullable ? [...choices, null] : choices,
		...(/integer|number/.test(type) && { minimum, maximum }),
		...(type === 'array' && { items: items ? schemaOf(items) : {} }),
		...(type === 'object' && known.length > 0 && { required: known }),
		...(properties.size > 0 && {
			properties: Object.fromEntries([...properties].map(([name, each]) => [name, schemaOf(each)])),
		}),
	};
}
