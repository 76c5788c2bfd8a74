import { readFile } from 'node:fs/promises';

import { dereference, validate } from '@readme/openapi-parser';
import { upgrade } from '@scalar/openapi-upgrader';
import type { OpenAPIV3_1 } from 'openapi-types';
import { parse } from 'yaml';
import { Failure } from '../bootstrap/failure.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Rules that documents of real providers often violate: warnings, not errors. */
const RULES = {
	'array-without-items': 'warning',
	'duplicate-operation-id': 'warning',
	'path-parameters-not-in-path': 'warning',
} as const;

/** Why an operation of the document can't become one of the node. */
export class Unsupported extends Error {}

export type Parameter = OpenAPIV3_1.ParameterObject;
/** An operation of the document, as OpenAPI 3.1. References are resolved, so a schema may contain itself. */
export interface Found {
	/** Its name on the command line: the operationId, or e.g. `GET /customers`. */
	id: string;
	method: string;
	/** Includes the path of the first server. */
	path: string;
	operation: OpenAPIV3_1.OperationObject;
	parameters: Parameter[];
}

/**
 * Reads the operations of an OpenAPI document (3.0, 3.1 or Swagger 2; YAML or JSON). Reads no other file.
 * @throws Failure if the document can't be read or isn't valid
 */
export async function operationsIn(file: string): Promise<Found[]> {
	const { servers = [], paths = {} } = await load(file);
	const entries = Object.entries(paths);
	// A path that refers to another one is the same object.
	const own = entries.filter(([, item], index) => entries.findIndex((each) => each[1] === item) === index);
	return own.flatMap(([end, item = {}]) =>
		METHODS.flatMap((lower) => {
			const { [lower]: operation, parameters = [] } = item;
			if (!operation) return [];
			const [server] = operation.servers ?? item.servers ?? servers;
			const [method, path] = [lower.toUpperCase(), basePath(server) + end];
			// An operation's parameters override its path's.
			const all = [...parameters, ...(operation.parameters ?? [])] as Parameter[];
			const own = new Map(all.map((each) => [`${each.in} ${each.name}`, each]));
			return [
				{ id: operation.operationId ?? `${method} ${path}`, method, path, operation, parameters: [...own.values()] },
			];
		}),
	);
}

async function load(file: string): Promise<OpenAPIV3_1.Document> {
	try {
		const text = await readFile(file, 'utf8');
		const read = () => parse(text, { maxAliasCount: 1000, logLevel: 'error' }) as never;
		if (typeof read() !== 'object' || read() === null) throw new Error('it is empty, or not an object');
		// Examples are data: "$ref" in them is no reference.
		const [outside] =
			/"\$ref":"(?!#)[^"]*"/.exec(
				JSON.stringify(read(), (name, value: unknown) => (/^examples?$/.test(name) ? undefined : value)),
			) ?? [];
		if (outside) throw new Error(`it refers to another file (${outside.slice(0, 80)}): bundle them into one first`);
		const options = { resolve: { external: false }, timeoutMs: 60_000 };
		const result = await validate(read(), { ...options, validate: { rules: { openapi: RULES, swagger: RULES } } });
		if (!result.valid) throw new Error(result.errors.map(({ message }) => message).join('\n'));
		return (await dereference(upgrade(read(), '3.1') as never, options)) as OpenAPIV3_1.Document;
	} catch (error) {
		const reason =
			error instanceof Error ? error.message.slice(0, 1500).replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '?') : String(error);
		throw new Failure(`${file} can't be used as an OpenAPI document (3.0, 3.1 or Swagger 2, YAML or JSON): ${reason}`);
	}
}

function basePath({ url = '', variables = {} }: Partial<OpenAPIV3_1.ServerObject> = {}): string {
	const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? '');
	return URL.canParse(filled, 'http://localhost')
		? new URL(filled, 'http://localhost').pathname.replace(/\/$/, '')
		: '';
}
