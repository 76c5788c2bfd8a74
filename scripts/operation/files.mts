import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { ROOT } from '../bootstrap/paths.mjs';
import type { Draft } from './draft.mts';
import { capitalized, inSentence, withPeriod, wordsOf } from './english.mts';
import { Code, type Sent } from './fields.mts';
import { formatted } from './format.mts';
import { openApiWith } from './sandboxDocument.mts';
import type { Shape } from './shape.mts';

const NODE = 'nodes/VoiceAdmin';

/** Every file of an operation, with its text. @returns by path from the root; files that are there are given as they become */
export async function filesOf(draft: Draft): Promise<Map<string, string>> {
	const { resource, operation } = draft;
	const openapi = await readFile(path.join(ROOT, 'sandbox/openapi.yaml'), 'utf8');
	const index = await readFile(path.join(ROOT, NODE, 'operations/index.ts'), 'utf8');
	const source = await operationFile(draft);
	return new Map([
		[`${NODE}/operations/${resource.value}/${operation.value}.ts`, source.text],
		...source.parsers,
		[`${NODE}/operations/index.ts`, indexWith(draft, index)],
		[`${NODE}/__schema__/v1.0.0/${resource.value}/${operation.value}.json`, outputSchema(draft)],
		['sandbox/openapi.yaml', await openApiWith(draft, openapi)],
	]);
}

/** Name of the constant: neither a word of TypeScript nor a parser. */
const constantOf = ({ resource, operation }: Draft) =>
	/^(?:get|getMany|create|update)$/.test(operation.value) ? operation.value : operation.value + capitalized(resource.value);

/** TypeScript of a value, which Prettier makes look as if written by hand. */
function print(value: unknown): string {
	if (value instanceof Code) return value.text;
	if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const entries = Object.entries(value).filter(([, each]) => each !== undefined);
	return `{ ${entries.map(([name, each]) => `${JSON.stringify(name)}: ${print(each)}`).join(', ')} }`;
}

/** The operation as data; code is a {@link Code}. */
export function definitionOf({ resource, operation, action, description, found, url, sent, reads, creates, warns }: Draft): object {
	const fields = (isRequired: boolean) => sent.filter(({ required }) => required === isRequired).map(({ field }) => field);
	const [required, options] = [fields(true), fields(false)];
	const more = {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options,
	};
	const inPath = sent.filter(({ place }) => place === 'path');
	// Required, as it names the request, and no secret, as errors show it.
	const texts = sent.filter(({ required, shape, field }) => required && shape.kind === 'string' && !field.typeOptions?.password);
	const named = texts.find(({ name }) => /name|number|mail/i.test(name)) ?? texts[0] ?? inPath[0];
	const show = ({ name }: Sent) => `\${String(sent${/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`})}`;
	const nameOf = (...of: Sent[]) => of.map((each) => `${inSentence(wordsOf(each.name))} ${show(each)}`).join(', ');
	const noun = inSentence(wordsOf(resource.name));
	const human = 'Require human approval for each call: add a human review step between the agent and this tool';
	return {
		option: { name: operation.name, value: operation.value, action, description, routing: { request: { method: found.method, url } } },
		// Always, as without it a request that has an unknown outcome would be sent again.
		...(creates && { creates: new Code(named ? `(sent) => \`${noun} with ${nameOf(named)}\`` : `() => ${JSON.stringify(noun)}`) }),
		...(!creates && inPath.length > 0 && { label: new Code(`(sent) => \`${nameOf(...inPath)}\``) }),
		toolDescription: `${withPeriod(description)} ${reads ? 'It changes nothing.' : 'Use only the details that the user gave.'}`,
		...(warns && {
			notice: { workflow: `Each item does this: ${description}`, agent: `A model decides when to call this tool. ${human}` },
		}),
		fields: [...required, ...(options.length > 0 ? [more] : [])],
	};
}

async function operationFile(draft: Draft): Promise<{ text: string; parsers: Array<[string, string]> }> {
	const { description, sent } = draft;
	const { imports, added } = await parserFiles([...new Set(sent.flatMap(({ field }) => field.parse.uses))]);
	const text = [
		...imports,
		"import type { Operation } from '../operation';",
		'',
		`/** ${withPeriod(description)} */`,
		`export const ${constantOf(draft)}: Operation = ${print(definitionOf(draft))};`,
	].join('\n');
	return { text: await formatted(text, 'typescript'), parsers: added };
}

/** The imports of parsers; and the files of those that the package hasn't, with them. */
async function parserFiles(parsers: string[]): Promise<{ imports: string[]; added: Array<[string, string]> }> {
	const read = async (folder: string, file: string) => await readFile(path.join(ROOT, folder, file), 'utf8').catch(() => '');
	const imports: string[] = [];
	const added: Array<[string, string]> = [];
	for (const file of (await readdir(path.join(ROOT, NODE, 'parameters'))).filter((name) => name.endsWith('.ts'))) {
		const [present, more] = await Promise.all([read(`${NODE}/parameters`, file), read('scripts/operation/parsers', file)]);
		const has = (source: string) => (name: string) => source.includes(`export function ${name}(`);
		const functions = more.split(/\n(?=\/\*\*)/).slice(1);
		const needed = parsers.filter((name) => !has(present)(name) && has(more)(name));
		if (needed.some((name) => name.startsWith('date'))) needed.push('isoText');
		const texts = functions.filter((source) => needed.some((name) => has(source)(name) && !has(present)(name)));
		if (texts.length > 0)
			added.push([`${NODE}/parameters/${file}`, `${present.trimEnd()}\n\n${texts.map((source) => source.trimEnd()).join('\n\n')}\n`]);
		const names = parsers.filter((name) => has(present)(name) || has(more)(name)).sort();
		if (names.length > 0) imports.push(`import { ${names.join(', ')} } from '../../parameters/${file.replace('.ts', '')}';`);
	}
	return { imports, added };
}

/** The list of operations with one more, in alphabetical order. */
function indexWith(draft: Draft, index: string): string {
	const { resource, operation } = draft;
	const constant = constantOf(draft);
	const file = `'./${resource.value}/${operation.value}'`;
	if (index.includes(file)) return index;
	const isFree = !new RegExp(`\\b${constant}\\b`).test(index);
	const local = isFree ? constant : constant + capitalized(resource.value);
	const imports = [...index.matchAll(/^import \{.*$/gm)].map(([line]) => line);
	const all = [...imports, `import { ${isFree ? constant : `${constant} as ${local}`} } from ${file};`];
	const from = (line: string) => /'(.*)'/.exec(line)?.[1] ?? '';
	const withImport = index.replace(imports.join('\n'), all.sort((a, b) => from(a).localeCompare(from(b))).join('\n'));
	const present = RESOURCES.find(({ value }) => value === resource.value);
	if (present) {
		const at = present.operations.filter(({ option }) => option.name.localeCompare(operation.name) < 0).length;
		const insert = (_: string, before: string, list: string) =>
			before + [...list.split(', ').slice(0, at), local, ...list.split(', ').slice(at)].join(', ');
		return withImport.replace(new RegExp(`(value: '${resource.value}',.*operations: \\[)(.*?)(?=\\])`), insert);
	}
	const line = `\t{ name: '${resource.name}', value: '${resource.value}', default: '${operation.value}', operations: [${local}] },`;
	const next = RESOURCES.find(({ name }) => name.localeCompare(resource.name) > 0);
	return next
		? withImport.replace(`\t{ name: '${next.name}'`, `${line}\n\t{ name: '${next.name}'`)
		: withImport.replace(/\n\];/, `\n${line}\n];`);
}

/** What comes out, for the editor's mapping panel: fields of one value. */
function outputSchema({ response: { shape }, sent }: Draft): string {
	const item = shape?.kind === 'array' ? shape.items : shape;
	const all: Array<[string, Shape, boolean]> = item
		? [...item.properties].map(([name, each]) => [name, each, item.required.includes(name)])
		: sent.map(({ name, shape: each, required }) => [name, each, required]);
	const shown = all.filter(([, { kind }]) => ['string', 'integer', 'number', 'boolean'].includes(kind));
	const properties = shown.map(([name, { kind, nullable }]) => [name, { type: nullable ? [kind, 'null'] : kind }] as const);
	const required = [...(item ? [] : ['success']), ...shown.filter(([, , isRequired]) => isRequired).map(([name]) => name)];
	const lines = [...(item ? [] : [['success', { type: 'boolean' }] as const]), ...properties].map(
		([name, type]) =>
			`    ${JSON.stringify(name)}: ${JSON.stringify(type)
				.replace(/([:{,])/g, '$1 ')
				.replace('}', ' }')}`,
	);
	const more = required.length > 0 ? `\n  "required": [${required.map((name) => JSON.stringify(name)).join(', ')}],` : '';
	return `{\n  "type": "object",\n  "properties": {${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}},${more}\n  "version": 1\n}\n`;
}
