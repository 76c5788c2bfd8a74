import { readFile } from 'node:fs/promises';
import { dereference } from '@readme/openapi-parser';
import type { OpenAPIV3_1 } from 'openapi-types';
import { parse } from 'yaml';
import { Failure } from '../bootstrap/failure.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const SWAGGER = 'it is Swagger 2. Convert it first: npx swagger2openapi --outfile provider-3.yaml provider.yaml';

/** An operation of the document. References are resolved, so a schema may contain itself. */
export interface Found {
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
export async function operationsIn(file: string): Promise<Found[]> {
	try {
		const document = parse(await readFile(file, 'utf8'), { maxAliasCount: 1000, logLevel: 'error' }) as object | null;
		if (Object(document).swagger) throw new Error(SWAGGER);
		if (!/^3\.[01]\b/.test(String(Object(document).openapi))) throw new Error('it has no "openapi: 3.0" or 3.1');
		// Examples are data: "$ref" in them is no reference.
		const references = JSON.stringify(document, (name, value: unknown) => (/^examples?$/.test(name) ? 0 : value));
		const [outside] = /"\$ref":"(?!#)[^"]*"/.exec(references) ?? [];
		if (outside) throw new Error(`it refers to another file (${outside.slice(0, 80)}): bundle them into one first`);
		return found((await dereference(document as never, { resolve: { external: false } })) as OpenAPIV3_1.Document);
	} catch (error) {
		const reason = (error as Error).message.slice(0, 1500);
		throw new Failure(`${file} can't be used as an OpenAPI document (3.0 or 3.1, YAML or JSON): ${reason}`);
	}
}

function found({ servers = [], paths = {} }: OpenAPIV3_1.Document): Found[] {
	return Object.entries(paths).flatMap(([end, item = {}]) =>
		METHODS.flatMap((lower) => {
			const { [lower]: operation, parameters = [] } = item;
			if (!operation) return [];
			const [server] = operation.servers ?? item.servers ?? servers;
			const [method, path] = [lower.toUpperCase(), basePath(server) + end];
			// An operation's parameters override its path's.
			const all = [...parameters, ...(operation.parameters ?? [])] as Found['parameters'];
			const last = new Map(all.map((each) => [`${each.in} ${each.name}`, each]));
			const id = operation.operationId ?? `${method} ${path}`;
			return [{ id, method, path, operation, parameters: [...last.values()] }];
		}),
	);
}

function basePath({ url = '', variables = {} }: Partial<OpenAPIV3_1.ServerObject> = {}): string {
	const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? '');
	return URL.canParse(filled, 'http://a') ? new URL(filled, 'http://a').pathname.replace(/\/$/, '') : '';
}
