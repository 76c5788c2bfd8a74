import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

import { ROOT } from '../bootstrap/paths.mjs';
import type { Draft } from './draft.mts';
import { capitalized, inSentence, withPeriod, wordsOf } from './english.mts';
import { Code, type Sent } from './fields.mts';
import { sandboxFiles } from './sandboxDocument.mts';
import { VERSION } from './names.mts';
import type { Shape } from './shape.mts';

const NODE = 'nodes/VoiceAdmin';
const INDEX = `${NODE}/operations/index.ts`;
const NOTICE = {
	money: 'Each item does this, and it may cost money',
	loss: 'Each item does this, and it may not be possible to undo it',
};

/** Formats a file as `npm test` checks it. @param file its path from the root */
const formatted = async (text: string, file: string) =>
	await format(text, { ...(await resolveConfig(path.join(ROOT, file), { editorconfig: true })), filepath: file });

const textOf = async (file: string) => await readFile(path.join(ROOT, file), 'utf8');

/** The files of operations, new and changed: text by path from the root. */
export async function filesOf(drafts: Draft[]): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	const textNow = async (file: string) => files.get(file) ?? (await textOf(file));
	for (const draft of drafts) {
		const { resource, operation, description, sent } = draft;
		const module = `${resource.value}/${await moduleOf(resource.value, operation.value)}`;
		const index = await textNow(INDEX);
		// An existing operation keeps its constant. A new one includes the resource: `delete` is a reserved word.
		const line = index.split('\n').find((each) => each.endsWith(` from './${module}';`));
		const constant =
			line?.slice('import { '.length, line.indexOf(' }')) ?? operation.value + capitalized(resource.value);
		const { imports, added } = await parserFiles([...new Set(sent.flatMap(({ field }) => field.parse.uses))], textNow);
		const definition = print(definitionOf(draft));
		const source = [
			...imports,
			"import type { Operation } from '../operation';",
			'',
			`/** ${withPeriod(description)} */`,
			`export const ${constant}: Operation = ${definition};`,
		].join('\n');
		const file = `${NODE}/operations/${module}.ts`;
		files.set(file, await formatted(source, file));
		for (const [parsers, text] of added) files.set(parsers, text);
		files.set(INDEX, await formatted(indexWith(draft, constant, module, index), INDEX));
		const schema = `${NODE}/__schema__/v1.0.0/${resource.value}/${operation.value}.json`;
		files.set(schema, await formatted(outputSchema(draft), schema));
	}
	for (const [file, text] of await sandboxFiles(drafts, async (file) => await textOf(file).catch(() => '')))
		files.set(file, await formatted(text, file));
	return files;
}

/** The name of an operation's file. An existing file may be named after the operation's name in the editor, not its value. */
async function moduleOf(resource: string, operation: string): Promise<string> {
	const folder = `${NODE}/operations/${resource}`;
	for (const file of await readdir(path.join(ROOT, folder)).catch(() => [])) {
		if ((await textOf(`${folder}/${file}`)).includes(`\n\t\tvalue: '${operation}',`)) return file.replace('.ts', '');
	}
	return operation;
}

/** A value as TypeScript, for Prettier to format. */
function print(value: unknown): string {
	if (value instanceof Code) return value.text;
	if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const entries = Object.entries(value).filter(([, each]) => each !== undefined);
	return `{ ${entries.map(([name, each]) => `${JSON.stringify(name)}: ${print(each)}`).join(', ')} }`;
}

/** The operation's definition; code in it is a {@link Code}. */
export function definitionOf(draft: Draft): object {
	const { operation, action, description, found, url, sent, reads, creates, stake } = draft;
	const fields = (isRequired: boolean) =>
		sent.filter(({ required }) => required === isRequired).map(({ field }) => field);
	const [required, options] = [fields(true), fields(false)];
	const collection = {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
	};
	const inPath = sent.filter(({ place }) => place === 'path');
	const human = 'Require human approval for each call: add a human review step between the agent and this tool';
	return {
		option: {
			name: operation.name,
			value: operation.value,
			action,
			description,
			routing: { request: { method: found.method, url } },
		},
		// With creates, a request with an unknown outcome isn't sent again.
		...(creates && { creates: creationOf(draft) }),
		...(!creates &&
			inPath.length > 0 && {
				label: new Code(`(sent) => \`${inPath.map((each) => `${labelOf(each)} ${valueOf(each)}`).join(', ')}\``),
			}),
		toolDescription: `${withPeriod(description)} ${reads ? 'It changes nothing.' : 'Use only the details that the user gave.'}`,
		...(stake && {
			notice: { workflow: `${NOTICE[stake]}: ${action}`, agent: `A model decides when to call this tool. ${human}` },
		}),
		fields: [...required, ...(options.length > 0 ? [{ ...collection, default: {}, options }] : [])],
	};
}

const labelOf = ({ name }: Sent) => inSentence(wordsOf(name));

/** The code that reads a value from `sent`, in a template literal. */
function valueOf({ name }: Sent): string {
	return `\${String(sent${/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`})}`;
}

/** The code that names what a request creates: "customer with VAT number …". */
function creationOf({ resource, operation, sent, url }: Draft): Code {
	// "Create" creates the resource, "Add Participant" a participant.
	const [verb = '', ...others] = wordsOf(operation.name).filter((word) => !VERSION.test(word));
	// A document that is sent is there already.
	const isCreation = /^(?:create|add|make|new)$/.test(verb) || (verb === 'send' && !url.includes('{'));
	const made = isCreation
		? inSentence(others.length > 0 ? others : wordsOf(resource.name))
		: `${inSentence([verb, ...others]).replace(/ request$/, '')} request`;
	// Errors show the value: it must be required and no secret.
	const by = sent.find(
		({ name, place, required, shape, field }) =>
			place === 'body' &&
			required &&
			shape.type === 'string' &&
			!field.typeOptions?.password &&
			/name|number|mail/i.test(name) &&
			!/card|account/i.test(name),
	);
	if (!by) return new Code(`() => ${JSON.stringify(made)}`);
	return new Code(`(sent) => \`${made} ${labelOf(by) === made ? '' : `with ${labelOf(by)} `}${valueOf(by)}\``);
}

/** The imports of parsers, and the changed files of parsers that the package doesn't have yet. */
async function parserFiles(
	parsers: string[],
	textNow: typeof textOf,
): Promise<{ imports: string[]; added: Array<[string, string]> }> {
	const imports: string[] = [];
	const added: Array<[string, string]> = [];
	for (const file of (await readdir(path.join(ROOT, NODE, 'parameters'))).filter((name) => name.endsWith('.ts'))) {
		const present = await textNow(`${NODE}/parameters/${file}`);
		const more = await textOf(`scripts/operation/parsers/${file}`).catch(() => '');
		const has = (source: string) => (name: string) =>
			new RegExp(`^export (?:function|const) ${name}\\b`, 'm').test(source);
		const names = parsers.filter((name) => has(present + more)(name)).sort();
		if (names.length > 0)
			imports.push(`import { ${names.join(', ')} } from '../../parameters/${file.replace('.ts', '')}';`);
		const needed = names.filter((name) => !has(present)(name));
		const functions = more.split(/\n(?=\/\*\*)/).slice(1);
		const texts = functions.filter((source) => needed.some((name) => has(source)(name)));
		if (texts.length > 0)
			added.push([`${NODE}/parameters/${file}`, [present, ...texts].map((text) => `${text.trimEnd()}\n`).join('\n')]);
	}
	return { imports, added };
}

/** Adds an operation to operations/index.ts, in alphabetical order. */
function indexWith({ resource, operation }: Draft, constant: string, module: string, index: string): string {
	const from = ` from './${module}';`;
	if (index.includes(from)) return index;
	const pathOf = (line: string) => line.slice(line.indexOf(' from '));
	const imports = index.match(/^import \{.*$/gm)!;
	const allImports = [...imports, `import { ${constant} }${from}`].sort((a, b) => pathOf(a).localeCompare(pathOf(b)));
	// Sorted by title: "Get Many" (`getManyTrunk`) comes after "Get".
	const titleOf = (name: string) =>
		name.endsWith(capitalized(resource.value)) ? name.slice(0, -resource.value.length) : name;
	const withOne = (list: string) =>
		[...list.split(', '), constant].sort((a, b) => titleOf(a).localeCompare(titleOf(b))).join(', ');
	// Prettier breaks a long row into lines.
	const rows = index.match(/^\t\{(?: .*|\n[^]*?^\t)\},$/gm)!;
	const inOneLine = (row: string) =>
		`\t${row.replace(/\s+/g, ' ').trim()}`
			.replace(/\[ /g, '[')
			.replace(/,? \]/g, ']')
			.replace(/,? \},$/, ' },');
	const isOwn = (row: string) => row.includes(` value: '${resource.value}',`);
	const added = `\t{ name: '${resource.name}', value: '${resource.value}', default: '${operation.value}', operations: [${constant}] },`;
	const allRows = rows.some(isOwn)
		? rows.map(inOneLine).map((row) => (isOwn(row) ? row.replace(/(?<=operations: \[).*(?=\])/, withOne) : row))
		: [...rows, added].sort((a, b) => a.localeCompare(b));
	return index.replace(imports.join('\n'), allImports.join('\n')).replace(rows.join('\n'), allRows.join('\n'));
}

/** The output schema for the editor's mapping panel: the scalar fields. */
function outputSchema({ response: { shape }, sent }: Draft): string {
	const item = shape?.type === 'array' ? shape.items : shape;
	const success: Value = ['success', { type: 'boolean', nullable: false }, true];
	const all: Value[] = item
		? [...item.properties].map(([name, each]) => [name, each, item.required.includes(name)])
		: [success, ...sent.map(({ name, shape: each, required }): Value => [name, each, required])];
	const values = all.filter(([, { type }]) => type && !/object|array/.test(type));
	const required = values.filter(([, , isRequired]) => isRequired).map(([name]) => name);
	const schema = {
		type: 'object',
		properties: Object.fromEntries(
			values.map(([name, { type, nullable }]) => [name, { type: nullable ? [type, 'null'] : type }]),
		),
		...(required.length > 0 && { required }),
		version: 1,
	};
	// Prettier keeps an object expanded if there is a line break after its brace.
	return JSON.stringify(schema).replace(/^\{|"properties":\{(?!\})/g, '$&\n');
}

/** Name, type, and whether it is always present. */
type Value = [string, Pick<Shape, 'type' | 'nullable'>, boolean];
