import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import { format, resolveConfig } from 'prettier';
import { ROOT } from '../bootstrap/paths.mjs';
import type { Draft } from './draft.mts';
import { Code, TODO_MARKER, type SentValue } from './fields.mts';
import { createSandboxFiles } from './sandboxDocument.mts';
import { isScalar } from './shape.mts';
import { capitalize, joinWords, INSTRUCTION, addPeriod, wordsOf } from './text.mts';

const FOLDER = 'nodes/VoiceAdmin';
const INDEX_FILE = `${FOLDER}/operations/index.ts`;
/** The parsers of the package by file, and those of a file that comes with the first operation that needs one. */
const PARSERS = {
	...{ scalars: ['boolean', 'text'], identifier: ['identifier', 'integerId'], jsonObject: ['jsonObject'] },
	documentParsers: ['jsonArray', 'numberWithin', 'oneOf'],
};
const PARSERS_FILE = `${FOLDER}/parameters/documentParsers.ts`;

const NOTICE = {
	workflow: `${TODO_MARKER}what each item does, what it may cost, whether it can be undone`,
	agent: `${TODO_MARKER}what is at stake, without a period, as advice about agents follows`,
};
const eslint = new ESLint({ cwd: ROOT, fix: true });

/** Formats a file as `npm test` checks it; n8n's lint rules fix what they can. @param file its path from the root */
async function formatFile(text: string, file: string): Promise<string> {
	const filepath = path.join(ROOT, file);
	const options = { ...(await resolveConfig(filepath, { editorconfig: true })), filepath };
	const first = await format(text, options);
	// n8n's rules don't see a property whose name is in quotes, which Prettier removes.
	const [{ output = first } = {}] = file.endsWith('.ts') ? await eslint.lintText(first, { filePath: filepath }) : [];
	return await format(output, options);
}

const readText = async (file: string) => await readFile(path.join(ROOT, file), 'utf8');

export const fileOf = ({ resource, operation }: Draft) =>
	`${FOLDER}/operations/${resource.value}/${operation.value}.ts`;

/** The files of operations, new and changed: text by path from the root. */
export async function createFiles(drafts: Draft[]): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const draft of drafts) {
		const { resource, operation, sentences, values } = draft;
		// With the resource: `delete` is a reserved word.
		const constant = operation.value + capitalize(resource.value);
		const usedParsers = values.map(({ field }) => field.parse.text.replace(/\(.*/s, ''));
		const imports = Object.entries(PARSERS)
			.map(([file, parserNames]) => {
				const names = parserNames.filter((name) => usedParsers.includes(name)).join(', ');
				return names && `import { ${names} } from '../../parameters/${file}';`;
			})
			.filter((line) => line !== '');
		const code = `export const ${constant}: Operation = ${printCode(createDefinition(draft))};`;
		const comment = `/** ${addPeriod(sentences[0]!)} */`;
		const lines = [...imports, "import type { Operation } from '../operation';", '', comment, code];
		files.set(fileOf(draft), lines.join('\n'));
		const parsers = (await readText('scripts/operation/parsers.ts')).replace(/.*\n/, '');
		if (PARSERS.documentParsers.some((name) => usedParsers.includes(name)))
			files.set(PARSERS_FILE, parsers.replaceAll('../../nodes/VoiceAdmin/parameters/', './'));
		const index = files.get(INDEX_FILE) ?? (await readText(INDEX_FILE));
		files.set(INDEX_FILE, await formatFile(addToIndex(draft, constant, index), INDEX_FILE));
		files.set(`${FOLDER}/__schema__/v1.0.0/${resource.value}/${operation.value}.json`, createOutputSchema(draft));
	}
	for (const entry of await createSandboxFiles(drafts, async (file) => await readText(file).catch(() => '')))
		files.set(...entry);
	for (const [file, text] of files) files.set(file, await formatFile(text, file));
	return files;
}

function printCode(value: unknown): string {
	if (value instanceof Code) return value.text;
	if (Array.isArray(value)) return `[${value.map(printCode).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const entries = Object.entries(value).filter(([, each]) => each !== undefined);
	return `{ ${entries.map(([name, each]) => `${JSON.stringify(name)}: ${printCode(each)}`).join(', ')} }`;
}

function createDefinition({ operation, action, resource, sentences, source, url, values, isRead, response }: Draft) {
	const [firstSentence = '', ...otherSentences] = sentences;
	const pathValues = values.filter(({ place }) => place === 'path').map(formatPathValue);
	const recordName = operation.name === 'Create' ? joinWords(wordsOf(resource.name)) : `what this creates (${action})`;
	const recordPath = pathValues.map((each) => ` of ${each}`).join('');
	const createsFunction = `(${recordPath && 'sent'}) => \`${TODO_MARKER}${recordName}${recordPath}\``;
	const effect = isRead ? 'It changes nothing.' : 'Use only the details that the user gave.';
	const instructions = otherSentences.filter((each) => INSTRUCTION.test(each)).slice(0, 3);
	const extras = values.filter(({ required }) => !required).map(({ field }) => field);
	extras.sort((a, b) => a.displayName.localeCompare(b.displayName));
	return {
		option: {
			...{ name: operation.name, value: operation.value, action, description: firstSentence },
			routing: { request: { method: source.method, url } },
		},
		...(pathValues.length > 0 && { label: new Code(`(sent) => \`${pathValues.join(', ')}\``) }),
		...(!isRead && { creates: new Code(createsFunction) }),
		// An empty list gives no items, as that of a GET does.
		...(source.method !== 'GET' && response?.type === 'array' && { isResult: new Code('Array.isArray') }),
		toolDescription: [firstSentence, ...instructions, effect].map(addPeriod).join(' '),
		...(!isRead && { notice: NOTICE }),
		fields: values.filter(({ required }) => required).map(({ field }) => field),
		...(extras.length > 0 && { additionalFields: extras }),
	};
}

function formatPathValue({ name }: SentValue): string {
	const property = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
	return `${joinWords(wordsOf(name))} \${String(sent${property})}`;
}

/** Adds an operation to operations/index.ts; resources and their operations stay in alphabetical order. */
function addToIndex({ resource, operation }: Draft, constant: string, index: string): string {
	const { name, value } = resource;
	const rows = index.match(/^\t\{[^]*?\},$/gm)!;
	const ownIndex = rows.findIndex((row) => row.includes(`value: '${value}',`));
	const addConstant = (list: string) => [...(list.match(/\w+/g) ?? []), constant].sort().join(', ');
	const newRow = `\t{ name: '${name}', value: '${value}', default: '${operation.value}', operations: [${constant}] },`;
	const allRows = [...rows, ...(ownIndex < 0 ? [newRow] : [])];
	if (ownIndex >= 0) allRows[ownIndex] = rows[ownIndex]!.replace(/(?<=operations: \[)[^\]]*/, addConstant);
	const nameOf = (row: string) => row.slice(row.indexOf("'"));
	allRows.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
	const line = `import { ${constant} } from './${value}/${operation.value}';\n`;
	return index.replace(rows.join('\n'), () => allRows.join('\n')).replace('import type { Resource }', `${line}$&`);
}

/** The output schema for the editor's mapping panel: the scalar fields. */
function createOutputSchema({ response, values }: Draft): string {
	const item = response?.type === 'array' ? response.items : response;
	const resultFields = [{ name: 'success', shape: { type: 'boolean' }, required: true }, ...values];
	const entries = Object.entries(item?.properties ?? {});
	const responseFields = entries.map(([name, shape]) => ({ name, shape, required: item!.required.includes(name) }));
	const scalars = (response ? responseFields : resultFields).filter(({ shape }) => isScalar(shape));
	const properties = Object.fromEntries(scalars.map(({ name, shape: { type } }) => [name, { type }]));
	const required = scalars.filter((each) => each.required).map(({ name }) => name);
	const schema = { type: 'object', properties, ...(required.length > 0 && { required }), version: 1 };
	// Prettier keeps an object expanded if there is a line break after its brace.
	return JSON.stringify(schema).replace(/^\{|"properties":\{(?!\})/g, '$&\n');
}
