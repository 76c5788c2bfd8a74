import { readFile } from 'node:fs/promises';
import { dereference } from '@readme/openapi-parser';
import type { OpenAPIV3_1 } from 'openapi-types';
import { parse } from 'yaml';
import { Failure } from '../bootstrap/failure.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const SWAGGER_HINT = 'it is Swagger 2. Convert it first: npx swagger2openapi --outfile provider-3.yaml provider.yaml';

/** An operation of the document. References are resolved, so a schema may contain itself. */
export interface Endpoint {
	/** Its name on the command line: the operationId, or e.g. `GET /customers`. */
	id: string;
	method: string;
	/** Includes the path of the first server. */
	path: string;
	operation: OpenAPIV3_1.OperationObject;
	parameters: OpenAPIV3_1.ParameterObject[];
}

/**
 * Reads the operations of an OpenAPI document (3.0 or 3.1, YAML or JSON). Reads no other file.
 * @throws Failure if the document can't be read
 */
export async function readOperations(file: string): Promise<Endpoint[]> {
	try {
		const document = parse(await readFile(file, 'utf8'), { maxAliasCount: 1000, logLevel: 'error' }) as object | null;
		if (Object(document).swagger) throw new Error(SWAGGER_HINT);
		if (!/^3\.[01]\b/.test(String(Object(document).openapi))) throw new Error('it has no "openapi: 3.0" or 3.1');
		// Examples are data: "$ref" in them is no reference.
		const references = JSON.stringify(document, (name, value: unknown) => (/^examples?$/.test(name) ? 0 : value));
		const [reference] = /"\$ref":"(?!#)[^"]*"/.exec(references) ?? [];
		if (reference) throw new Error(`it refers to another file (${reference.slice(0, 80)}): bundle them into one first`);
		const resolved = await dereference(document as never, { resolve: { external: false } });
		return listOperations(resolved as OpenAPIV3_1.Document);
	} catch (error) {
		const reason = (error as Error).message.slice(0, 1500);
		throw new Failure(`${file} can't be used as an OpenAPI document (3.0 or 3.1, YAML or JSON): ${reason}`);
	}
}

function listOperations({ servers = [], paths = {} }: OpenAPIV3_1.Document): Endpoint[] {
	return Object.entries(paths).flatMap(([pathSuffix, item = {}]) =>
		METHODS.flatMap((methodKey) => {
			const { [methodKey]: operation, parameters = [] } = item;
			if (!operation) return [];
			const [server] = operation.servers ?? item.servers ?? servers;
			const [method, path] = [methodKey.toUpperCase(), basePathOf(server) + pathSuffix];
			// An operation's parameters override its path's.
			const allParameters = [...parameters, ...(operation.parameters ?? [])] as Endpoint['parameters'];
			const parameterByKey = new Map(allParameters.map((each) => [`${each.in} ${each.name}`, each]));
			const id = operation.operationId ?? `${method} ${path}`;
			return [{ id, method, path, operation, parameters: [...parameterByKey.values()] }];
		}),
	);
}

function basePathOf({ url = '', variables = {} }: Partial<OpenAPIV3_1.ServerObject> = {}): string {
	const expandedUrl = url.replace(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? '');
	return URL.canParse(expandedUrl, 'http://a') ? new URL(expandedUrl, 'http://a').pathname.replace(/\/$/, '') : '';
}
