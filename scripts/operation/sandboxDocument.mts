import { parseDocument, type YAMLMap } from 'yaml';
import type { Draft } from './draft.mts';
import { exampleOf, type Shape } from './shape.mts';
import { camelCase, wordsOf } from './text.mts';

const OPENAPI = 'sandbox/openapi.yaml';
const ERRORS = '400 BadRequest, 401 Unauthorized, 403 Forbidden, 429 TooManyRequests, 500 InternalServerError';

/**
 * The sandbox's document with operations added, each below the other methods of its path: texts by path from the root.
 * @param textOf of such a path, '' if there is no such file
 */
export async function sandboxFiles(drafts: Draft[], textOf: (file: string) => Promise<string>) {
	const openapi = parseDocument(await textOf(OPENAPI));
	const files = new Map([[OPENAPI, openapi]]);
	const paths = openapi.get('paths') as YAMLMap;
	for (const draft of drafts) {
		const { url, resource, found } = draft;
		const known = paths.getIn([url, '$ref']) as string | undefined;
		const file = known?.split('#')[0] ?? `paths/${resource.value}.yaml`;
		const name = `sandbox/${file}`;
		const document = files.get(name) ?? parseDocument((await textOf(name)) || '{}');
		(document.contents as YAMLMap).flow = false;
		files.set(name, document);
		const pointer = encodeURI(url.replaceAll('~', '~0').replaceAll('/', '~1'));
		if (!known) paths.set(url, openapi.createNode({ $ref: `${file}#/${pointer}` }));
		const operation = document.createNode(documented(draft), { aliasDuplicateObjects: false });
		document.setIn([url, found.method.toLowerCase()], operation);
	}
	return new Map([...files].map(([name, document]) => [name, document.toString({ lineWidth: 0 })]));
}

function documented({ found, resource, operation, sentences, sent, status, response }: Draft): object {
	const inBody = sent.filter(({ place }) => place === 'body');
	const required = inBody.filter((each) => each.required);
	const examples = required.length > 0 ? required : inBody.slice(0, 1);
	const example = Object.fromEntries(examples.map((each) => [each.name, each.example]));
	const properties = Object.fromEntries(inBody.map(({ name, shape }) => [name, shape]));
	const body = { type: 'object', properties, required: required.map(({ name }) => name), isKnown: true };
	const json = (value: object) => ({ content: { 'application/json': value } });
	const success = response
		? json({ schema: schemaOf(response), example: exampleOf(response, undefined, true) })
		: undefined;
	const writes = found.method !== 'GET';
	const refOf = (name: string) => ({ $ref: `../openapi.yaml#/components/responses/${name}` });
	const parameters = sent.flatMap(({ name, place, required: isRequired, shape, example: value }) => {
		const { description, ...schema } = schemaOf(shape);
		return place === 'body' ? [] : [{ name, in: place, required: isRequired, description, schema, example: value }];
	});
	return {
		operationId: camelCase([...wordsOf(operation.name), ...wordsOf(resource.name)]),
		tags: [resource.name],
		summary: sentences[0]!.replace(/[.…]$/, ''),
		...(writes && { security: [{ accessToken: ['write'] }] }),
		...(parameters.length > 0 && { parameters }),
		...(inBody.length > 0 && { requestBody: { required: true, ...json({ schema: schemaOf(body), example }) } }),
		responses: {
			[status]: { description: success ? 'The response.' : 'Done. There is no body.', ...success },
			...Object.fromEntries(ERRORS.split(', ').map((each) => [each.slice(0, 3), refOf(each.slice(4))])),
		},
	};
}

/** A shape as a schema: without examples, which have a place of their own, and without patterns, which may not compile. */
function schemaOf(shape: Shape): { description?: string } {
	const { isKnown: _known, pattern: _pattern, example: _example, examples: _examples, ...schema } = shape;
	const { properties, required, items, ...others } = schema;
	const described = Object.entries(properties).map(([name, each]) => [name, schemaOf(each)]);
	return {
		...others,
		...(items && { items: schemaOf(items) }),
		...(required.length > 0 && { required }),
		...(described.length > 0 && { properties: Object.fromEntries(described) as object }),
	};
}
