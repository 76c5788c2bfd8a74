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

const CODES: Record<ErrorCode, string> = {
	invalid_parameter: "The item's parameters are not valid.",
	invalid_credential: "The credential's environment, base URL, token header or token prefix can't be used.",
	login_failed: 'There is no access token: the service did not accept the API key, gave another answer to the login, or could not be reached.',
	unauthorized: 'The service answered 401, even after a new login.',
	forbidden: 'The service answered 403.',
	not_found: 'The service answered 404.',
	rate_limited: 'The service answered 429, after all retries; or, for three minutes, nothing but 429 or 503 with `Retry-After`.',
	rejected: 'The service answered with any other 3xx or 4xx.',
	service_error: 'The service answered with a 5xx.',
	connection_failed: 'There was no response: an unknown host name, a refused or broken connection, a TLS error, a timeout, or an address that n8n does not allow.',
	invalid_response: "The service answered with a 2xx, but the response cannot be read, or is the API's own error body.",
};

/** What an outcome means, and what Retry On Fail makes of it for a create. */
const OUTCOMES: Record<Outcome, [string, string]> = {
	not_sent: ['The request was not sent, or no connection could be opened to send it on.', 'Sent again'],
	not_done: ['The response means that the request was not carried out: a 4xx, a 3xx to a request that can be repeated, or a 503 with `Retry-After`.', 'Sent again'],
	unknown: ['The request may have been carried out: any other 5xx, a connection that broke or a timeout after sending, a 2xx that cannot be read, or a 3xx to a request that creates something.', 'Never sent again'],
};

/** docs/operations.md: the reference of every operation, the trigger and the errors. */
export function operationsReference(resources: Resource[] = RESOURCES): string {
	const operations = resources.flatMap((resource) => resource.operations.map((operation) => ({ name: `${resource.name}: ${operation.option.name}`, resource, operation })));
	const creates = operations.filter(({ operation }) => operation.creates).map(({ name }) => `**${name}**`);
	return [
		'<!-- Written by `npm run docs`. Change what it is written from, in nodes/VoiceAdmin and scripts/docs, and run it again. -->',
		'# Operations',
		'What each operation of the **Voice Admin** node accepts, sends and returns; then the [options](#options), the [output](#output), the [trigger](#voice-admin-trigger) and the [errors](#errors). How to set up and use the node: [README](../README.md).',
		'Every field except **Specify Other Fields** accepts an expression. An optional field that is empty is not sent; in a path, `{/name}` is a segment that is left out if its field is empty.',
		...operations.flatMap(({ name, resource, operation }) => [`## ${name}`, ...sectionOf(resource, operation)]),
		'## VAT numbers',
		'The documented API has no way to change or delete a customer, so **Validate VAT Number** is on, and the node sends only what it recognizes, in **VAT Number** as well as in `vatNumber`, `pIva` and `piva` of **Other Fields**:',
		[
			'- **Italy:** 11 digits, with or without `IT`: the last one must be the right check digit, and the first seven must not all be zeros. Spaces, dots and hyphens are not sent.',
			'- **Another country:** its two letters (ISO 3166-1, `EL` or `XI`), then 2 to 13 letters, digits, dots or hyphens, at least two of them digits, and not only zeros; for Ireland and the Netherlands also `+` and `*`, and for Switzerland the full form, `CHE-123.456.789 MWST`. Spaces are not sent. The node does not know the check digits of other countries.',
		].join('\n'),
		'The number is sent in capitals. Anything else is an error that says what to do: digits that are too few (a spreadsheet takes off zeros at the beginning), `1,23457E+10`, `12345678903.0`, a placeholder such as `#N/D` or `null`, several numbers, other words beside the number, a codice fiscale, a character that only looks right.',
		'With **Validate VAT Number** off, the node sends your text as it is, without space around it and characters that nobody sees. A number of fewer than 11 digits that is not text is still an error, as it may have lost its zeros.',
		'## Options',
		'In **Options**, below the fields of an operation. An option whose value is empty, for example from an expression, has the value that it gets when you add it.',
		table(
			['Option', 'Parameter', 'Accepts', 'Default', 'Operations', 'Description'],
			[...new Set(operations.flatMap(({ operation }) => optionsOf(operation)))].map((option) => {
				const having = operations.filter(({ operation }) => optionsOf(operation).includes(option));
				const of = having.length === operations.length ? 'All' : having.map(({ name }) => name).join(', ');
				return [plain(option.displayName), code(`options.${option.name}`), acceptedBy(option), defaultOf(option), plain(of), descriptionOf(option)];
			}),
		),
		'## Output',
		[
			'- A JSON body is returned as it is. An array becomes one item per element; a value that is not an object is returned as `{ "data": … }`.',
			'- An empty body, or an empty array, returns `{ "success": true }` with the fields that were sent, under their API names.',
			'- An integer beyond ±(2^53 − 1) is returned as text: as a number, it would be rounded.',
			'- **Dry Run** returns `{ "dryRun": true, "request": { "method": …, "url": …, "body": … } }`, without the access token.',
			'- Above the output, n8n shows a hint if **Dry Run** is on, if items failed (how many, and how many of them with an unknown outcome), or if the service asked the run to wait for five seconds or more.',
		].join('\n'),
		'## Voice Admin Trigger',
		"Starts the workflow when VoIP DSS gateways change, appear or disappear. It sends the requests of **VoIP DSS Gateway: Get** at the times set in n8n's **Poll Times**.",
		table(
			['Field', 'Parameter', 'Accepts', 'Required', 'Default', 'Description'],
			flatten(triggerProperties as Field[])
				.filter(({ type }) => type !== 'hidden')
				.map((field) => [label(field), code(field.name), acceptedBy(field), field.required ? 'Yes' : '', defaultOf(field), descriptionOf(field)]),
		),
		'Output: one item for each gateway that changed, with `gatewayId` (string), `event` (`appeared`, `changed` or `disappeared`), `changed` (for each field, its value before as `from` and now as `to`) and `current` (the gateway, or null if it is gone).',
		'## Errors',
		'With **On Error** set to **Continue (using error output)**, a failed item goes to the error output, with an `error` field (here with the words of the sandbox):',
		['```json', JSON.stringify(errorItem({ message: 'The requested DSS resource is not found', description: 'No gateway has the id 999.\nRequest: gateway 999.', status: 404, code: 'not_found', outcome: 'not_done' }, 0).json, null, 2), '```'].join('\n'),
		'`httpCode` is null if the service did not answer, and `description` if there is nothing to add.',
		'To branch, connect an IF or Switch node to the error output and compare `{{ $json.error.code }}` or `{{ $json.error.outcome }}` with the values below, rather than read messages.',
		'If the node or the trigger stops instead, its error has `code` and `outcome` in its `context`.',
		'### Codes',
		table(['`code`', 'Meaning'], Object.entries(CODES).map(([name, meaning]) => [code(name), meaning])),
		'### Outcomes',
		table(['`outcome`', 'Meaning', 'A request that creates something, under **Retry On Fail**'], Object.entries(OUTCOMES).map(([name, cells]) => [code(name), ...cells])),
		`The outcome matters for requests that create something (${creates.join(', ')}). After \`unknown\`, the \`description\` names what to look for, such as the VAT number of the customer; check before you send it again. The node treats all other operations as safe to repeat; for them, the outcome is for information only. What a status means beyond the API's documentation is an assumption: [undocumented-api.md](undocumented-api.md).`,
	].join('\n\n') + '\n';
}

function sectionOf({ value }: Resource, { option, notice, fields }: Operation): string[] {
	const { method, url } = option.routing.request;
	const schema = JSON.parse(readFileSync(path.join(SCHEMAS, value, `${option.value}.json`), 'utf8')) as Schema;
	const output = Object.entries(schema.properties).map(([name, { type }]) => `${code(name)} (${[type].flat().join(' or ')}${schema.required?.includes(name) ? '' : ', may be missing'})`);
	return [
		sentence(plain(option.description ?? '')),
		code(`${method} ${url}`),
		...(notice ? [`> **Note:** ${sentence(plain(notice.workflow))}`, `> **As a tool for an AI agent:** ${sentence(plain(notice.agent))}`] : []),
		fields.length === 0 ? 'It has no fields.' : table(
			['Field', 'Parameter', 'Sent as', 'Accepts', 'Required', 'Default', 'Description'],
			flatten(fields).map((field) => [label(field), code(field.name), destinationOf(field), acceptedBy(field), field.required ? 'Yes' : '', defaultOf(field), descriptionOf(field)]),
		),
		`Output: ${output.length > 0 ? `${output.join(', ')}, and ${schema.additionalProperties === false ? 'nothing else' : 'whatever else the service returns'}` : 'whatever the service returns'}.`,
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
		return flatten(field.options as Field[]).map((each) => ({ ...each, displayName: `${field.displayName} → ${each.displayName}`, name: `${field.name}.${each.name}` }));
	});
}

function destinationOf(field: Field): string {
	const place = placeOf(field);
	if (!place) return '';
	const { type, property } = place;
	const { spread, fanOut } = field;
	return spread ? `${type}, each property under its own name` : `${type}: ${code(property)}${fanOut ? ', one request for each value' : ''}`;
}

function acceptedBy({ type, typeOptions: { minValue, maxValue, numberPrecision } = {}, options, placeholder, modes = [] }: Field): string {
	if (type === 'boolean') return '`true` or `false`';
	if (type === 'options' || type === 'multiOptions') return (options as INodePropertyOptions[]).map(({ name, value }) => `${code(String(value))} (${plain(name)})`).join(', ');
	const kind = type === 'number' ? (numberPrecision === 0 ? 'Whole number' : 'Number') : type === 'json' ? 'JSON object' : type === 'fixedCollection' ? 'Names and values' : 'Text';
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
	const conditions = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => `Only if ${code(name)} is ${values!.map((value) => code(String(value))).join(' or ')}.`);
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
