import { parseDocument, type YAMLMap } from 'yaml';
import type { Draft } from './draft.mts';
import { exampleOf, type Shape } from './shape.mts';
import { toCamelCase, wordsOf } from './text.mts';

const OPENAPI_FILE = 'sandbox/openapi.yaml';
const ERROR_RESPONSES = '400 BadRequest, 401 Unauthorized, 403 Forbidden, 429 TooManyRequests, 500 InternalServerError';

/**
 * The sandbox's document with operations added, each below the other methods of its path: texts by path from the root.
 * @param readText of such a path, '' if there is no such file
 */
export async function createSandboxFiles(drafts: Draft[], readText: (file: string) => Promise<string>) {
	const openapi = parseDocument(await readText(OPENAPI_FILE));
	const files = new Map([[OPENAPI_FILE, openapi]]);
	const paths = openapi.get('paths') as YAMLMap;
	for (const draft of drafts) {
		const { url, resource, source } = draft;
		const existingReference = paths.getIn([url, '$ref']) as string | undefined;
		const file = existingReference?.split('#')[0] ?? `paths/${resource.value}.yaml`;
		const name = `sandbox/${file}`;
		const document = files.get(name) ?? parseDocument((await readText(name)) || '{}');
		(document.contents as YAMLMap).flow = false;
		files.set(name, document);
		const pointer = encodeURI(url.replaceAll('~', '~0').replaceAll('/', '~1'));
		if (!existingReference) paths.set(url, openapi.createNode({ $ref: `${file}#/${pointer}` }));
		const operation = document.createNode(createOperationObject(draft), { aliasDuplicateObjects: false });
		document.setIn([url, source.method.toLowerCase()], operation);
	}
	return new Map([...files].map(([name, document]) => [name, document.toString({ lineWidth: 0 })]));
}

function createOperationObject({ source, resource, operation, sentences, values, status, response }: Draft): object {
	const bodyValues = values.filter(({ place }) => place === 'body');
	const requiredValues = bodyValues.filter((each) => each.required);
	const exampleValues = requiredValues.length > 0 ? requiredValues : bodyValues.slice(0, 1);
	const example = Object.fromEntries(exampleValues.map((each) => [each.name, each.example]));
	const properties = Object.fromEntries(bodyValues.map(({ name, shape }) => [name, shape]));
	const body = { type: 'object', properties, required: requiredValues.map(({ name }) => name), isKnown: true };
	const toContent = (value: object) => ({ content: { 'application/json': value } });
	const successContent = response
		? toContent({ schema: toSchema(response), example: exampleOf(response, undefined, true) })
		: undefined;
	const isChange = source.method !== 'GET';
	const toReference = (name: string) => ({ $ref: `../openapi.yaml#/components/responses/${name}` });
	const parameters = values.flatMap(({ name, place, required: isRequired, shape, example: value }) => {
		const { description, ...schema } = toSchema(shape);
		return place === 'body' ? [] : [{ name, in: place, required: isRequired, description, schema, example: value }];
	});
	return {
		operationId: toCamelCase([...wordsOf(operation.name), ...wordsOf(resource.name)]),
		tags: [resource.name],
		summary: sentences[0]!.replace(/[.…]$/, ''),
		...(isChange && { security: [{ accessToken: ['write'] }] }),
		...(parameters.length > 0 && { parameters }),
		...(bodyValues.length > 0 && {
			requestBody: { required: true, ...toContent({ schema: toSchema(body), example }) },
		}),
		responses: {
			[status]: { description: successContent ? 'The response.' : 'Done. There is no body.', ...successContent },
			...Object.fromEntries(ERROR_RESPONSES.split(', ').map((each) => [each.slice(0, 3), toReference(each.slice(4))])),
		},
	};
}

/** A shape as a schema: without examples, which have a place of their own, and without patterns, which may not compile. */
function toSchema(shape: Shape): { description?: string } {
	const { isKnown: _known, pattern: _pattern, example: _example, examples: _examples, ...schema } = shape;
	const { properties, required, items, ...others } = schema;
	const propertySchemas = Object.entries(properties).map(([name, each]) => [name, toSchema(each)]);
	return {
		...others,
		...(items && { items: toSchema(items) }),
		...(required.length > 0 && { required }),
		...(propertySchemas.length > 0 && { properties: Object.fromEntries(propertySchemas) as object }),
	};
}
