import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { fieldProperties } from '../../nodes/VoiceAdmin/operations/nodeProperties';
import type { Field, Operation, Resource } from '../../nodes/VoiceAdmin/operations/operation';
import { optionsOf, SHARED_OPTIONS } from '../../nodes/VoiceAdmin/operations/options';
import { triggerProperties } from '../../nodes/VoiceAdmin/trigger/properties';

const SCHEMAS_FOLDER = path.resolve(__dirname, '../../nodes/VoiceAdmin/__schema__/v1.0.0');
const REFERENCE_FILE = path.resolve(__dirname, '../../docs/operations.md');
const GENERATED_BLOCK = /(?<=<!-- (\w+): written by npm run docs -->\n)[^]*?(?=<!-- end -->)/g;

/** The trigger's options that are described with those of the operations. */
const SHARED_OPTION_NAMES = SHARED_OPTIONS.map(({ name }) => `options.${name}`);

/**
 * Generates docs/operations.md, the reference of the operations and the trigger. Only the text between its comments
 * is generated, from the node's descriptions.
 */
export function generateOperationsReference(resources: Resource[] = RESOURCES): string {
	const operations = resources.flatMap((resource) =>
		resource.operations.map((operation) => ({
			name: `${resource.name}: ${operation.option.name}`,
			resource,
			operation,
		})),
	);
	const optionRows = [...new Set(operations.flatMap(({ operation }) => optionsOf(operation)))].map((option) => {
		const owners = operations.filter(({ operation }) => optionsOf(operation).includes(option));
		const restrictionNote =
			owners.length === operations.length
				? ''
				: `Only for ${owners.map(({ name }) => escapeMarkdown(name)).join(', ')}. `;
		const [name, acceptedValues, description] = rowOf(option);
		return [name!, acceptedValues!, restrictionNote + description];
	});
	const triggerFields = flatten(triggerProperties).filter(
		({ type, name }) => type !== 'hidden' && !SHARED_OPTION_NAMES.includes(name),
	);
	const blocks: Record<string, string> = {
		operations: operations
			.flatMap(({ name, resource, operation }) => [`## ${name}`, ...sectionOf(resource, operation)])
			.join('\n\n'),
		options: formatTable(['Option', 'Accepts', 'Description'], optionRows),
		trigger: formatTable(['Field', 'Accepts', 'Description'], triggerFields.map(rowOf)),
	};
	return readFileSync(REFERENCE_FILE, 'utf8').replace(GENERATED_BLOCK, (_, name: string) => `${blocks[name]}\n`);
}

function sectionOf({ value }: Resource, operation: Operation): string[] {
	const { option } = operation;
	const { method, url } = option.routing.request;
	const schema = JSON.parse(readFileSync(path.join(SCHEMAS_FOLDER, value, `${option.value}.json`), 'utf8')) as Schema;
	const output = Object.entries(schema.properties).map(([name, { type }]) => {
		return `${formatCode(name)} (${[type].flat().join(' or ')}${schema.required?.includes(name) ? '' : ', may be missing'})`;
	});
	output.push(
		schema.additionalProperties === false
			? 'and nothing else if the service returns no body'
			: 'and whatever else the service returns',
	);
	const rows = flatten(fieldProperties(operation)).map(rowOf);
	return [
		// n8n's lint rules remove a description that is the name.
		endWithPeriod(escapeMarkdown(option.description ?? option.name)),
		formatCode(`${method} ${url}`),
		rows.length === 0 ? 'It has no fields.' : formatTable(['Field', 'Accepts', 'Description'], rows),
		output.length === 1 ? 'Output: whatever the service returns.' : `Output: ${output.join(', ')}.`,
	];
}

interface Schema {
	properties: Record<string, { type: string | string[] }>;
	required?: string[];
	additionalProperties?: boolean;
}

/** Flattens collections into fields named `collection.field`. */
function flatten(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		if (field.type !== 'collection') return [field];
		const { name, displayName } = field;
		const addCollectionName = (each: INodeProperties) => ({
			...each,
			displayName: `${displayName} → ${each.displayName}`,
			name: `${name}.${each.name}`,
		});
		return (field.options as INodeProperties[]).map(addCollectionName);
	});
}

type Described = INodeProperties & Pick<Field, 'whenAbsent'>;

/** A field's row: label and name; accepted values; description. */
function rowOf(field: Described): string[] {
	const acceptedValues = [acceptedValuesOf(field), field.required ? 'required' : '', defaultOf(field)]
		.filter((text) => text !== '')
		.join('; ');
	return [`${escapeMarkdown(field.displayName)} (${formatCode(field.name)})`, acceptedValues, descriptionOf(field)];
}

const TYPE_LABELS: Record<string, string> = {
	boolean: '`true` or `false`',
	number: 'Number',
	json: 'JSON object',
	fixedCollection: 'Names and values',
};

function acceptedValuesOf({ type, typeOptions: { minValue, maxValue } = {}, options, placeholder }: Described): string {
	if (type === 'options' || type === 'multiOptions')
		return (options as INodePropertyOptions[]).map(({ value }) => formatCode(String(value))).join(', ');
	const range = minValue === undefined || maxValue === undefined ? '' : ` from ${minValue} to ${maxValue}`;
	const example = placeholder?.startsWith('e.g. ') ? `, e.g. ${formatCode(placeholder.slice('e.g. '.length))}` : '';
	return (TYPE_LABELS[type] ?? 'Text') + range + example;
}

function defaultOf({ default: defaultValue, whenAbsent }: Described): string {
	if (defaultValue === '' || defaultValue === null || typeof defaultValue === 'object') return '';
	return `default ${formatCode(String(whenAbsent ?? defaultValue))}`;
}

function descriptionOf({ description = '', hint = '', displayOptions }: Described): string {
	const conditions = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => {
		return `Only if ${formatCode(name)} is ${values!.map((value) => formatCode(String(value))).join(' or ')}.`;
	});
	return [
		...[description, hint].filter((text) => text !== '').map((text) => endWithPeriod(escapeMarkdown(text))),
		...conditions,
	].join(' ');
}

function formatTable(header: string[], rows: string[][]): string {
	const formatLine = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
	return [formatLine(header), `|${'---|'.repeat(header.length)}`, ...rows.map(formatLine)].join('\n');
}

const formatCode = (text: string) => `\`${text}\``;
const escapeMarkdown = (text: string) => text.replace(/[\\`*_<[\]]/g, '\\$&');
const endWithPeriod = (text: string) => (text.endsWith('.') ? text : `${text}.`);

if (require.main === module) writeFileSync(REFERENCE_FILE, generateOperationsReference());
