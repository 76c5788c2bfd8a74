import { readFile, stat } from 'node:fs/promises';

import { dereference, validate } from '@readme/openapi-parser';
import { upgrade } from '@scalar/openapi-upgrader';
import { parse } from 'yaml';
import { Failure } from '../bootstrap/failure.mjs';
import type { Schema } from './shape.mts';

/** The largest document that is read. */
const MAX_BYTES = 30 * 1024 * 1024;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Without these, a document of a provider that works is often not valid. */
const RULES = { 'array-without-items': 'warning', 'duplicate-operation-id': 'warning', 'path-parameters-not-in-path': 'warning' } as const;

interface Media {
	schema?: Schema;
}
export interface Parameter {
	name: string;
	in: string;
	required?: boolean;
	description?: string;
	example?: unknown;
	schema?: Schema;
	content?: object;
	style?: string;
	explode?: boolean;
}
/** An operation of OpenAPI 3.1, its references resolved: a schema may contain itself. */
export interface DocumentedOperation {
	operationId?: string;
	summary?: string;
	description?: string;
	tags?: string[];
	parameters?: Parameter[];
	requestBody?: { required?: boolean; content?: Record<string, Media> };
	responses?: Record<string, { description?: string; content?: Record<string, Media> }>;
	callbacks?: object;
	security?: object[];
}
/** An operation and where it is. */
export interface Found {
	/** How the command line names it: its operationId, or such as `GET /customers`. */
	id: string;
	method: string;
	/** With the path of the document's first server. */
	path: string;
	operation: DocumentedOperation;
}
interface Document {
	servers?: Array<{ url: string; variables?: Record<string, { default?: string }> }>;
	paths?: Record<string, Record<(typeof METHODS)[number], DocumentedOperation> & { parameters?: Parameter[] }>;
}

/**
 * The operations of an OpenAPI document (3.0, 3.1, or Swagger 2; YAML or JSON). Nothing outside of the file is read.
 * @throws Failure if it can't be read, or is not valid
 */
export async function operationsIn(file: string): Promise<Found[]> {
	const { servers = [], paths = {} } = await load(file);
	const base = basePath(servers[0]);
	return Object.entries(paths).flatMap(([path, item]) =>
		METHODS.filter((method) => item[method]).map((method): Found => {
			const operation = item[method];
			const own = operation.parameters ?? [];
			const shared = (item.parameters ?? []).filter((each) => !own.some((other) => other.name === each.name && other.in === each.in));
			return {
				id: operation.operationId ?? `${method.toUpperCase()} ${base}${path}`,
				method: method.toUpperCase(),
				path: base + path,
				operation: { ...operation, parameters: [...shared, ...own] },
			};
		}),
	);
}

async function load(file: string): Promise<Document> {
	try {
		if ((await stat(file)).size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES / 1024 / 1024} MB`);
		const text = await readFile(file, 'utf8');
		const read = () => parse(text, { maxAliasCount: 1000, logLevel: 'error' }) as never;
		const options = { resolve: { external: false }, timeoutMs: 60_000 };
		const result = await validate(read(), { ...options, validate: { rules: { openapi: RULES, swagger: RULES } } });
		if (!result.valid)
			throw new Error(
				result.errors
					.slice(0, 3)
					.map(({ message }) => message)
					.join('\n'),
			);
		return (await dereference(upgrade(read(), '3.1') as never, options)) as Document;
	} catch (error) {
		const reason = error instanceof Error ? error.message.slice(0, 1500) : String(error);
		throw new Failure(`${file} can't be used as an OpenAPI document (3.0, 3.1 or Swagger 2, YAML or JSON): ${reason}`);
	}
}

function basePath(server?: { url: string; variables?: Record<string, { default?: string }> }): string {
	const url = (server?.url ?? '').replace(/\{(\w+)\}/g, (_, name: string) => server?.variables?.[name]?.default ?? '');
	return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname.replace(/\/$/, '') : '';
}
