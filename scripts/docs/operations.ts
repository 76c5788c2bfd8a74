import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { INodePropertyOptions } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { type Field, type Operation, type Resource } from '../../nodes/VoiceAdmin/operations/operation';
import { optionsOf, SHARED_OPTIONS } from '../../nodes/VoiceAdmin/operations/options';
import { triggerProperties } from '../../nodes/VoiceAdmin/trigger/properties';

const SCHEMAS = path.resolve(__dirname, '../../nodes/VoiceAdmin/__schema__/v1.0.0');
const FILE = path.resolve(__dirname, '../../docs/operations.md');
const BLOCK = /(?<=<!-- (\w+): written by npm run docs -->\n)[^]*?(?=<!-- end -->)/g;

/** The trigger's options that are described with those of the operations. */
const SHARED = SHARED_OPTIONS.map(({ name }) => `options.${name}`);

/**
 * Generates docs/operations.md, the reference of the operations and the trigger. Only the text between its comments
 * is generated, from the node's descriptions.
 */
export function operationsReference(resources: Resource[] = RESOURCES): string {
	const operations = resources.flatMap((resource) =>
		resource.operations.map((operation) => ({
			name: `${resource.name}: ${operation.option.name}`,
			resource,
			operation,
		})),
	);
	const optionRows = [...new Set(operations.flatMap(({ operation }) => optionsOf(operation)))].map((option) => {
		const owners = operations.filter(({ operation }) => optionsOf(operation).includes(option));
		const restriction =
			owners.length === operations.length ? '' : `Only for ${owners.map(({ name }) => plain(name)).join(', ')}. `;
		const [name, accepted, description] = rowOf(option);
		return [name!, accepted!, restriction + description];
	});
	const triggerFields = flatten(triggerProperties as Field[]).filter(
		({ type, name }) => type !== 'hidden' && !SHARED.includes(name),
	);
	const blocks: Record<string, string> = {
		operations: operations
			.flatMap(({ name, resource, operation }) => [`## ${name}`, ...sectionOf(resource, operation)])
			.join('\n\n'),
		options: table(['Option', 'Accepts', 'Description'], optionRows),
		trigger: table(['Field', 'Accepts', 'Description'], triggerFields.map(rowOf)),
	};
	return readFileSync(FILE, 'utf8').replace(BLOCK, (_, name: string) => `${blocks[name]}\n`);
}

function sectionOf({ value }: Resource, { option, fields }: Operation): string[] {
	const { method, url } = option.routing.request;
	const schema = JSON.parse(readFileSync(path.join(SCHEMAS, value, `${option.value}.json`), 'utf8')) as Schema;
	const output = Object.entries(schema.properties).map(([name, { type }]) => {
		return `${code(name)} (${[type].flat().join(' or ')}${schema.required?.includes(name) ? '' : ', may be missing'})`;
	});
	output.push(
		schema.additionalProperties === false
			? 'and nothing else if the service returns no body'
			: 'and whatever else the service returns',
	);
	const rows = flatten(fields).map(rowOf);
	return [
		sentence(plain(option.description ?? '')),
		code(`${method} ${url}`),
		rows.length === 0 ? 'It has no fields.' : table(['Field', 'Accepts', 'Description'], rows),
		output.length === 1 ? 'Output: whatever the service returns.' : `Output: ${output.join(', ')}.`,
	];
}

interface Schema {
	properties: Record<string, { type: string | string[] }>;
	required?: string[];
	additionalProperties?: boolean;
}

/** Flattens collections into fields named `collection.field`. */
function flatten(fields: Field[]): Field[] {
	return fields.flatMap((field) => {
		if (field.type !== 'collection') return [field];
		const { name, displayName } = field;
		const inCollection = (each: Field) => ({
			...each,
			displayName: `${displayName} → ${each.displayName}`,
			name: `${name}.${each.name}`,
		});
		return (field.options as Field[]).map(inCollection);
	});
}

/** A field's row: label and name; accepted values; description. */
function rowOf(field: Field): string[] {
	const accepted = [acceptedBy(field), field.required ? 'required' : '', defaultOf(field)]
		.filter((text) => text !== '')
		.join('; ');
	return [`${plain(field.displayName)} (${code(field.name)})`, accepted, descriptionOf(field)];
}

const KINDS: Record<string, string> = {
	boolean: '`true` or `false`',
	number: 'Number',
	json: 'JSON object',
	fixedCollection: 'Names and values',
};

function acceptedBy({ type, typeOptions: { minValue, maxValue } = {}, options, placeholder }: Field): string {
	if (type === 'options' || type === 'multiOptions')
		return (options as INodePropertyOptions[]).map(({ value }) => code(String(value))).join(', ');
	const range = minValue === undefined || maxValue === undefined ? '' : ` from ${minValue} to ${maxValue}`;
	const example = placeholder?.startsWith('e.g. ') ? `, e.g. ${code(placeholder.slice('e.g. '.length))}` : '';
	return (KINDS[type] ?? 'Text') + range + example;
}

function defaultOf({ default: preset, whenAbsent }: Field): string {
	if (preset === '' || preset === null || typeof preset === 'object') return '';
	return `default ${code(String(whenAbsent ?? preset))}`;
}

function descriptionOf({ description = '', hint = '', displayOptions }: Field): string {
	const conditions = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => {
		return `Only if ${code(name)} is ${values!.map((value) => code(String(value))).join(' or ')}.`;
	});
	return [
		...[description, hint].filter((text) => text !== '').map((text) => sentence(plain(text))),
		...conditions,
	].join(' ');
}

function table(header: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
	return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

const code = (text: string) => `\`${text}\``;
const plain = (text: string) => text.replace(/[\\`*_<[\]]/g, '\\$&');
const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

if (require.main === module) writeFileSync(FILE, operationsReference());
