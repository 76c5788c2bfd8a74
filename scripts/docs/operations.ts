import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodePropertyOptions } from 'n8n-workflow';

import { errorItem } from '../../nodes/VoiceAdmin/execution/outputItems';
import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import { type Field, type Operation, placeOf, type Resource } from '../../nodes/VoiceAdmin/operations/operation';
import { optionsOf } from '../../nodes/VoiceAdmin/operations/options';
import type { ErrorCode, Outcome } from '../../nodes/VoiceAdmin/transport/http/classify';
import { properties as triggerProperties } from '../../nodes/VoiceAdmin/trigger/properties';

const SCHEMAS = path.resolve(__dirname, '../../nodes/VoiceAdmin/__schema__/v1.0.0');
export const FILE = path.resolve(__dirname, '../../docs/operations.md');
const BLOCK = /(?<=<!-- (\w+): written by npm run docs -->\n)[^]*?(?=<!-- end -->)/g;

const CODES: Record<ErrorCode, string> = {
	invalid_parameter: "The item's parameters are not valid.",
	invalid_credential: "The credential's environment, base URL, token header or token prefix can't be used.",
	login_failed:
		'There is no access token: the service did not accept the API key, gave another answer to the login, or could not be reached.',
	unauthorized: 'The service answered 401 again, to a new token or to one that it accepts for other requests.',
	forbidden: 'The service answered 403.',
	not_found: 'The service answered 404.',
	rate_limited: 'The service answered 429 for longer than **Max Wait**.',
	rejected: 'The service answered with any other 3xx or 4xx.',
	service_error: 'The service answered with a 5xx, or with nothing else for longer than **Max Wait**.',
	connection_failed:
		'There was no response: an unknown host name, a refused or broken connection, a TLS error, a timeout, ' +
		'or an address that n8n does not allow.',
	invalid_response: "The service answered with a 2xx, but the response cannot be read, has no gateway in it, or is the API's own error body.",
};

/** What an outcome means, and what Retry On Fail makes of it for a create. */
const OUTCOMES: Record<Outcome, [string, string]> = {
	not_sent: ['The request was not sent, or no connection could be opened to send it on.', 'Sent again'],
	not_done: [
		'The response means that the request was not carried out: a 4xx other than those below, a 3xx to a GET, or a 503 with `Retry-After` and the API\'s own error body.',
		'Sent again',
	],
	unknown: [
		'The request may have been carried out: 408, 444, 460 or 499, any other 5xx, a connection that broke or a timeout after sending, ' +
			'a 2xx that cannot be read, or a 3xx to anything but a GET.',
		'Never sent again',
	],
};

/**
 * docs/operations.md, the reference of every operation, the trigger and the errors. Its words are its own: only what stands
 * between its comments is made here, of the node's data.
 */
export function operationsReference(resources: Resource[] = RESOURCES): string {
	const operations = resources.flatMap((resource) =>
		resource.operations.map((operation) => ({ name: `${resource.name}: ${operation.option.name}`, resource, operation })),
	);
	const optionRows = [...new Set(operations.flatMap(({ operation }) => optionsOf(operation)))].map((option) => {
		const having = operations.filter(({ operation }) => optionsOf(operation).includes(option));
		const of = having.length === operations.length ? 'All' : having.map(({ name }) => name).join(', ');
		const names = [plain(option.displayName), code(`options.${option.name}`)];
		return [...names, acceptedBy(option), defaultOf(option), plain(of), descriptionOf(option)];
	});
	const triggerFields = flatten(triggerProperties as Field[]).filter(({ type }) => type !== 'hidden');
	const message = 'The requested DSS resource is not found';
	const description = 'No gateway has the id 999.\nRequest: gateway 999.';
	const { json } = errorItem({ message, description, status: 404, code: 'not_found', outcome: 'not_done', request: { gatewayId: '999' } }, 0);
	const creates = operations.filter(({ operation }) => operation.creates).map(({ name }) => `**${name}**`);
	const outcomes = Object.entries(OUTCOMES).map(([name, cells]) => [code(name), ...cells]);
	const blocks: Record<string, string> = {
		operations: operations.flatMap(({ name, resource, operation }) => [`## ${name}`, ...sectionOf(resource, operation)]).join('\n\n'),
		options: table(['Option', 'Parameter', 'Accepts', 'Default', 'Operations', 'Description'], optionRows),
		trigger: table(
			['Field', 'Parameter', 'Accepts', 'Required', 'Default', 'Description'],
			triggerFields.map((field) => [label(field), code(field.name), acceptedBy(field), ...restOf(field)]),
		),
		error: ['```json', JSON.stringify(json, null, 2), '```'].join('\n'),
		codes: table(['`code`', 'Meaning'], Object.entries(CODES).map(([name, meaning]) => [code(name), meaning])),
		outcomes: table(['`outcome`', 'Meaning', 'A request that creates something, under **Retry On Fail**'], outcomes),
		creates: `Operations that create something: ${creates.join(', ')}.`,
	};
	return readFileSync(FILE, 'utf8').replace(BLOCK, (_, name: string) => `${blocks[name]}\n`);
}

function sectionOf({ value }: Resource, { option, notice, fields }: Operation): string[] {
	const { method, url } = option.routing.request;
	const schema = JSON.parse(readFileSync(path.join(SCHEMAS, value, `${option.value}.json`), 'utf8')) as Schema;
	const output = Object.entries(schema.properties).map(([name, { type }]) => {
		return `${code(name)} (${[type].flat().join(' or ')}${schema.required?.includes(name) ? '' : ', may be missing'})`;
	});
	output.push(schema.additionalProperties === false ? 'and nothing else' : 'and whatever else the service returns');
	const notes = notice && { Note: notice.workflow, 'As a tool for an AI agent': notice.agent };
	const rows = flatten(fields).map((field) => [label(field), code(field.name), destinationOf(field), acceptedBy(field), ...restOf(field)]);
	return [
		sentence(plain(option.description ?? '')),
		code(`${method} ${url}`),
		...Object.entries(notes ?? {}).map(([to, text]) => `> **${to}:** ${sentence(plain(text))}`),
		rows.length === 0 ? 'It has no fields.' : table(['Field', 'Parameter', 'Sent as', 'Accepts', 'Required', 'Default', 'Description'], rows),
		output.length === 1 ? 'Output: whatever the service returns.' : `Output: ${output.join(', ')}.`,
	];
}

interface Schema {
	properties: Record<string, { type: string | string[] }>;
	required?: string[];
	additionalProperties?: boolean;
}

/** The fields, those of collections as `collection.field`. */
function flatten(fields: Field[]): Field[] {
	return fields.flatMap((field) => {
		if (field.type !== 'collection') return [field];
		const named = (each: Field) => ({ displayName: `${field.displayName} → ${each.displayName}`, name: `${field.name}.${each.name}` });
		return flatten(field.options as Field[]).map((each) => ({ ...each, ...named(each) }));
	});
}

/** The last cells of a field's row. */
const restOf = (field: Field) => [field.required ? 'Yes' : '', defaultOf(field), descriptionOf(field)];

function destinationOf(field: Field): string {
	const place = placeOf(field);
	if (!place) return '';
	const { type, property } = place;
	const { spread, fanOut } = field;
	return spread ? `${type}, each property under its own name` : `${type}: ${code(property)}${fanOut ? ', one request for each value' : ''}`;
}

const KINDS: Record<string, string> = { number: 'Number', json: 'JSON object', fixedCollection: 'Names and values' };

function acceptedBy({ type, typeOptions: { minValue, maxValue, numberPrecision } = {}, options, placeholder, modes = [] }: Field): string {
	if (type === 'boolean') return '`true` or `false`';
	if (type === 'options' || type === 'multiOptions') {
		return (options as INodePropertyOptions[]).map(({ name, value }) => `${code(String(value))} (${plain(name)})`).join(', ');
	}
	const kind = numberPrecision === 0 ? 'Whole number' : (KINDS[type] ?? 'Text');
	const range = (minValue === undefined ? '' : ` from ${minValue}`) + (maxValue === undefined ? '' : ` to ${maxValue}`);
	const ways = modes.length === 0 ? '' : `, ${modes.map((mode) => `**${plain(mode.displayName)}**`).join(' or ')}`;
	const example = [placeholder, ...modes.map((mode) => mode.placeholder)].find((text) => text?.startsWith('e.g. '));
	return kind + range + ways + (example ? `, e.g. ${code(example.slice('e.g. '.length))}` : '');
}

function defaultOf({ default: preset, whenAbsent }: Field): string {
	if (preset === '' || preset === null || typeof preset === 'object') return '';
	return whenAbsent === undefined ? code(String(preset)) : `${code(String(whenAbsent))}; ${code(String(preset))} once added`;
}

function descriptionOf({ description = '', hint = '', displayOptions }: Field): string {
	const conditions = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => {
		return `Only if ${code(name)} is ${values!.map((value) => code(String(value))).join(' or ')}.`;
	});
	return [...[description, hint].filter((text) => text !== '').map((text) => sentence(plain(text))), ...conditions].join(' ');
}

function table(header: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
	return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

const label = ({ displayName }: Field) => plain(displayName);
const code = (text: string) => `\`${text}\``;
const plain = (text: string) => text.replace(/[\\`*_<[\]]/g, '\\$&');
const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);
