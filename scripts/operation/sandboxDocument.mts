import { Document, isScalar, visit } from 'yaml';
import type { Draft } from './draft.mts';
import { camelCase, withPeriod, wordsOf } from './english.mts';
import { formatted } from './format.mts';
import { boundsOf, exampleOf, type Shape } from './shape.mts';

/** The sandbox's document with one more operation, below the other methods of its path. */
export async function openApiWith(draft: Draft, openapi: string): Promise<string> {
	const { url, found } = draft;
	const operation = (await yamlOf({ [found.method.toLowerCase()]: documented(draft) })).replace(/^(?=.)/gm, '    ').trimEnd();
	const [paths = '', components = ''] = openapi.split('\n\ncomponents:\n');
	const block = new RegExp(`\n {2}${url.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')}:\n(?: {4}.*\n|\n)*`).exec(`${paths}\n`)?.[0];
	const grown = block
		? `${paths}\n`.replace(block, () => `${block.trimEnd()}\n${operation}\n${block.endsWith('\n\n') ? '\n' : ''}`).trimEnd()
		: `${paths}\n\n  ${url}:\n${operation}`;
	return `${grown}\n\ncomponents:\n${components}`;
}

/** As the document is written: examples and lists of values in a line. */
async function yamlOf(value: object): Promise<string> {
	const document = new Document(value, { aliasDuplicateObjects: false });
	visit(document, {
		Pair: (_, { key, value: each }) => void (isScalar(key) && key.value === 'example' && Object.assign(each as object, { flow: true })),
		Seq: (_, node) => void (node.flow ||= node.items.every(isScalar)),
	});
	return await formatted(document.toString(), 'yaml');
}

function documented({ found, url, resource, operation, description, sent, response }: Draft): object {
	const inBody = sent.filter(({ place }) => place === 'body');
	const inUrl = sent.filter(({ place }) => place !== 'body');
	const common = (name: string) => ({ $ref: `#/components/responses/${name}` });
	return {
		operationId: camelCase([...wordsOf(operation.name), ...wordsOf(resource.name)]),
		tags: [resource.name],
		summary: description.replace(/[.…]$/, ''),
		...(found.method !== 'GET' && { security: [{ accessToken: ['write'] }] }),
		...(inUrl.length > 0 && {
			parameters: inUrl.map(({ name, place, required, shape, description: meaning, example }) => ({
				...{ name, in: place, required, description: withPeriod(meaning) },
				...(shape.kind === 'array' && { style: 'form', explode: false }),
				...{ schema: schemaOf(shape), example },
			})),
		}),
		...(inBody.length > 0 && {
			requestBody: {
				required: true,
				content: {
					'application/json': {
						schema: {
							type: 'object',
							...requiredOf(inBody.filter(({ required }) => required).map(({ name }) => name)),
							properties: Object.fromEntries(
								inBody.map(({ name, shape, description: meaning }) => [name, { ...schemaOf(shape), description: withPeriod(meaning) }]),
							),
						},
						example: Object.fromEntries(
							inBody.filter(({ required }, index) => required || index === 0).map(({ name, example }) => [name, example]),
						),
					},
				},
			},
		}),
		responses: {
			[response.status]: {
				description: response.shape ? 'The response.' : 'Done. There is no body.',
				...(response.shape && {
					content: { 'application/json': { schema: schemaOf(response.shape), example: exampleOf(response.shape) } },
				}),
			},
			...((inBody.length > 0 || url.includes('{')) && { '400': common('BadRequest') }),
			'401': common('Unauthorized'),
			...(found.method !== 'GET' && { '403': common('Forbidden') }),
			...(inBody.length > 0 && { '413': common('PayloadTooLarge'), '415': common('UnsupportedMediaType') }),
			'429': common('TooManyRequests'),
			'500': common('InternalServerError'),
			'502': common('BadGateway'),
			'503': common('ServiceUnavailable'),
			'504': common('GatewayTimeout'),
		},
	};
}

const requiredOf = (required: string[]) => (required.length > 0 ? { required } : {});

/** What the sandbox checks of a value, and answers with. */
function schemaOf({ kind, nullable, choices, schema, items, properties, required }: Shape): object {
	if (kind === 'unsupported') return {};
	const { min: minimum, max: maximum } = boundsOf(schema);
	const isNumber = kind === 'integer' || kind === 'number';
	return {
		type: nullable ? [kind, 'null'] : kind,
		...(choices && { enum: nullable ? [...choices, null] : choices }),
		...(isNumber && minimum !== undefined && { minimum }),
		...(isNumber && maximum !== undefined && { maximum }),
		...(kind === 'array' && { items: items ? schemaOf(items) : {} }),
		...(kind === 'object' && requiredOf(required.filter((name) => properties.has(name)))),
		...(kind === 'object' &&
			properties.size > 0 && { properties: Object.fromEntries([...properties].map(([name, each]) => [name, schemaOf(each)])) }),
	};
}
