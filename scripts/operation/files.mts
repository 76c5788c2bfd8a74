import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import { format, resolveConfig } from 'prettier';
import { ROOT } from '../bootstrap/paths.mjs';
import type { Draft } from './draft.mts';
import { Code, MARKER, type Sent } from './fields.mts';
import { sandboxFiles } from './sandboxDocument.mts';
import { isScalar } from './shape.mts';
import { capitalized, inSentence, NEEDED, withPeriod, wordsOf } from './text.mts';

const NODE = 'nodes/VoiceAdmin';
const INDEX = `${NODE}/operations/index.ts`;
/** The parsers of the package by file, and those of a file that comes with the first operation that needs one. */
const PARSERS = {
	...{ scalars: ['boolean', 'text'], identifier: ['identifier', 'integerId'], jsonObject: ['jsonObject'] },
	documentParsers: ['jsonArray', 'numberWithin', 'oneOf'],
};
const COPIED = `${NODE}/parameters/documentParsers.ts`;

const NOTICE = {
	workflow: `${MARKER}what each item does, what it may cost, whether it can be undone`,
	agent: `${MARKER}the same for those who let a model decide`,
};
const eslint = new ESLint({ cwd: ROOT, fix: true });

/** Formats a file as `npm test` checks it; n8n's lint rules fix what they can. @param file its path from the root */
async function formatted(text: string, file: string): Promise<string> {
	const filepath = path.join(ROOT, file);
	const options = { ...(await resolveConfig(filepath, { editorconfig: true })), filepath };
	const [{ output = text } = {}] = file.endsWith('.ts') ? await eslint.lintText(text, { filePath: filepath }) : [];
	return await format(output, options);
}

const textOf = async (file: string) => await readFile(path.join(ROOT, file), 'utf8');

export const fileOf = ({ resource, operation }: Draft) => `${NODE}/operations/${resource.value}/${operation.value}.ts`;

/** The files of operations, new and changed: text by path from the root. */
export async function filesOf(drafts: Draft[]): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const draft of drafts) {
		const { resource, operation, sentences, sent } = draft;
		// With the resource: `delete` is a reserved word.
		const constant = operation.value + capitalized(resource.value);
		const used = sent.map(({ field }) => field.parse.text.replace(/\(.*/s, ''));
		const lines = Object.entries(PARSERS)
			.map(([file, all]) => {
				const names = all.filter((name) => used.includes(name)).join(', ');
				return names && `import { ${names} } from '../../parameters/${file}';`;
			})
			.filter((line) => line !== '');
		lines.push("import type { Operation } from '../operation';", '', `/** ${withPeriod(sentences[0]!)} */`);
		lines.push(`export const ${constant}: Operation = ${print(definitionOf(draft))};`);
		files.set(fileOf(draft), lines.join('\n').trim());
		const parsers = (await textOf('scripts/operation/parsers.ts')).replace(/.*\n/, '');
		if (PARSERS.documentParsers.some((name) => used.includes(name)))
			files.set(COPIED, parsers.replaceAll('../../nodes/VoiceAdmin/parameters/', './'));
		files.set(INDEX, await formatted(indexWith(draft, constant, files.get(INDEX) ?? (await textOf(INDEX))), INDEX));
		files.set(`${NODE}/__schema__/v1.0.0/${resource.value}/${operation.value}.json`, outputSchema(draft));
	}
	for (const entry of await sandboxFiles(drafts, async (file) => await textOf(file).catch(() => '')))
		files.set(...entry);
	for (const [file, text] of files) files.set(file, await formatted(text, file));
	return files;
}

function print(value: unknown): string {
	if (value instanceof Code) return value.text;
	if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const entries = Object.entries(value).filter(([, each]) => each !== undefined);
	return `{ ${entries.map(([name, each]) => `${JSON.stringify(name)}: ${print(each)}`).join(', ')} }`;
}

function definitionOf({ operation, action, resource, sentences, found, url, sent, reads, response }: Draft): object {
	const [first = '', ...others] = sentences;
	const inPath = sent.filter(({ place }) => place === 'path').map(namedValue);
	const created = operation.name === 'Create' ? inSentence(wordsOf(resource.name)) : `what this creates (${action})`;
	const inRecord = inPath.map((each) => ` of ${each}`).join('');
	const creates = `(${inRecord && 'sent'}) => \`${MARKER}${created}${inRecord}\``;
	const effect = reads ? 'It changes nothing.' : 'Use only the details that the user gave.';
	const important = others.filter((each) => NEEDED.test(each)).slice(0, 3);
	const optional = sent.filter(({ required }) => !required).map(({ field }) => field);
	optional.sort((a, b) => a.displayName.localeCompare(b.displayName));
	const collection = { displayName: 'Additional Fields', name: 'additionalFields', type: 'collection' };
	return {
		option: {
			...{ name: operation.name, value: operation.value, action, description: first },
			routing: { request: { method: found.method, url } },
		},
		...(inPath.length > 0 && { label: new Code(`(sent) => \`${inPath.join(', ')}\``) }),
		...(!reads && { creates: new Code(creates) }),
		// An empty list gives no items, as that of a GET does.
		...(found.method !== 'GET' && response?.type === 'array' && { isResult: new Code('Array.isArray') }),
		toolDescription: [first, ...important, effect].map(withPeriod).join(' '),
		...(!reads && { notice: NOTICE }),
		fields: [
			...sent.filter(({ required }) => required).map(({ field }) => field),
			...(optional.length > 0 ? [{ ...collection, placeholder: 'Add Field', default: {}, options: optional }] : []),
		],
	};
}

function namedValue({ name }: Sent): string {
	const property = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
	return `${inSentence(wordsOf(name))} \${String(sent${property})}`;
}

/** Adds an operation to operations/index.ts; resources and their operations stay in alphabetical order. */
function indexWith({ resource, operation }: Draft, constant: string, index: string): string {
	const { name, value } = resource;
	const rows = index.match(/^\t\{[^]*?\},$/gm)!;
	const own = rows.findIndex((row) => row.includes(`value: '${value}',`));
	const withOne = (list: string) => [...(list.match(/\w+/g) ?? []), constant].sort().join(', ');
	const added = `\t{ name: '${name}', value: '${value}', default: '${operation.value}', operations: [${constant}] },`;
	const all = [...rows, ...(own < 0 ? [added] : [])];
	if (own >= 0) all[own] = rows[own]!.replace(/(?<=operations: \[)[^\]]*/, withOne);
	const nameOf = (row: string) => row.slice(row.indexOf("'"));
	all.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
	const line = `import { ${constant} } from './${value}/${operation.value}';\n`;
	return index.replace(rows.join('\n'), () => all.join('\n')).replace('import type { Resource }', `${line}$&`);
}

/** The output schema for the editor's mapping panel: the scalar fields. */
function outputSchema({ response, sent }: Draft): string {
	const item = response?.type === 'array' ? response.items : response;
	const done = [{ name: 'success', shape: { type: 'boolean' }, required: true }, ...sent];
	const entries = Object.entries(item?.properties ?? {});
	const named = entries.map(([name, shape]) => ({ name, shape, required: item!.required.includes(name) }));
	const scalars = (response ? named : done).filter(({ shape }) => isScalar(shape));
	const properties = Object.fromEntries(scalars.map(({ name, shape: { type } }) => [name, { type }]));
	const required = scalars.filter((each) => each.required).map(({ name }) => name);
	const schema = { type: 'object', properties, ...(required.length > 0 && { required }), version: 1 };
	// Prettier keeps an object expanded if there is a line break after its brace.
	return JSON.stringify(schema).replace(/^\{|"properties":\{(?!\})/g, '$&\n');
}
