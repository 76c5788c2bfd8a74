import { buildRequests } from '../../nodes/VoiceAdmin/operations/buildRequests';
import type { Field, Operation } from '../../nodes/VoiceAdmin/operations/operation';
import { boolean, integer, text } from '../../nodes/VoiceAdmin/parameters/scalars';
import { countryCodes } from '../../nodes/VoiceAdmin/parameters/countryCodes';
import { identifier } from '../../nodes/VoiceAdmin/parameters/identifier';
import { jsonObject } from '../../nodes/VoiceAdmin/parameters/jsonObject';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';

const field = (displayName: string, name: string, more: Partial<Field>): Field => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...more,
});

const sentAs = (type: 'body' | 'query', property: string) => ({ routing: { send: { type, property } } });

// An operation that no API has, with every kind of field.
const SHELF = field('Shelf', 'shelf', { required: true, parse: identifier });
const SECTION = field('Section', 'section', { parse: identifier });
// Without a parser: as it is given.
const NOTE = field('Note', 'note', sentAs('query', 'note'));
const LIMIT = field('Limit', 'limit', { type: 'number', ...sentAs('query', 'max_items'), parse: integer });
const TITLE = field('Title', 'title', { ...sentAs('body', 'title'), parse: text });
const COUNTRIES = field('Countries', 'countries', {
	required: true,
	...sentAs('body', 'iso'),
	fanOut: true,
	parse: countryCodes,
});
const DATA = field('Data', 'data', { type: 'json', spread: true, parse: jsonObject });
const LOCAL = field('Local', 'local', {});
const PRICE = field('Price', 'price', { type: 'number', ...sentAs('body', 'unit_price'), parse: integer });
const IN_STOCK = field('In Stock', 'inStock', { type: 'boolean', ...sentAs('body', 'inStock'), parse: boolean });

const PUT_BOOK: Operation = {
	option: {
		name: 'Put Book',
		value: 'putBook',
		routing: { request: { method: 'PUT', url: '/v1/shelves/{shelf}{/section}/books' } },
	},
	toolDescription: 'Puts a book on a shelf.',
	fields: [SHELF, SECTION, NOTE, LIMIT, TITLE, COUNTRIES, DATA, LOCAL],
	additionalFields: [IN_STOCK, PRICE],
};

/** The smallest set of parameters that is valid. */
const REQUIRED = { shelf: '7', countries: 'IT' };

/** The requests of an operation for an item, as n8n's editor has its parameters. */
function requestsOf(operation: Operation, parameters: Record<string, unknown>): ApiRequest[] {
	return buildRequests(operation, (name) => parameters[name]).requests;
}

const requestOf = (operation: Operation, parameters: Record<string, unknown>): ApiRequest =>
	requestsOf(operation, parameters)[0]!;

describe('a request', () => {
	test('has path, query and body of the fields that are given', () => {
		const parameters = {
			shelf: ' A 1 ',
			section: 12,
			note: 'new & used',
			limit: '5',
			title: 'Emma',
			countries: 'it',
			data: '{"author":"Jane Austen"}',
			local: 'not sent',
			additionalFields: { inStock: true, price: 10 },
		};
		const body = { title: 'Emma', iso: 'IT', inStock: true, unit_price: 10, author: 'Jane Austen' };
		expect(requestsOf(PUT_BOOK, parameters)).toEqual([
			{
				method: 'PUT',
				path: '/v1/shelves/A%201/12/books',
				query: { note: 'new & used', max_items: 5 },
				body,
				fields: { shelf: 'A 1', section: 12, note: 'new & used', max_items: 5, ...body },
				label: undefined,
				creates: undefined,
			},
		]);
	});

	test.each([undefined, null, '', '  '])('is sent without an optional field that is %j', (empty) => {
		const additionalFields = { inStock: empty, price: empty };
		const parameters = { ...REQUIRED, section: empty, note: empty, limit: empty, title: empty, data: empty };
		expect(requestOf(PUT_BOOK, { ...parameters, additionalFields })).toEqual(requestOf(PUT_BOOK, REQUIRED));
		if (!empty)
			expect(requestOf(PUT_BOOK, { ...REQUIRED, additionalFields: empty })).toEqual(requestOf(PUT_BOOK, REQUIRED));
	});

	test('is sent with an optional field that is zero or off', () => {
		const { path, query, body } = requestOf(PUT_BOOK, {
			...REQUIRED,
			section: 0,
			limit: 0,
			additionalFields: { inStock: false, price: 0 },
		});
		expect([path, query, body]).toEqual([
			'/v1/shelves/7/0/books',
			{ max_items: 0 },
			{ iso: 'IT', inStock: false, unit_price: 0 },
		]);
	});
});

describe('the options of an item', () => {
	const isStrict = field('Is Strict', 'isStrict', { default: true, parse: boolean });
	const operation = { ...PUT_BOOK, additionalOptions: [field('Mode', 'mode', { default: 'fast' }), isStrict] };
	const optionsOf = (options: unknown) =>
		buildRequests(operation, (name) => ({ ...REQUIRED, options })[name as 'options']).options;
	const DEFAULTS = {
		dryRun: false,
		maxConcurrency: 25,
		maxRetries: 3,
		maxWait: 120,
		timeout: 60,
		mode: 'fast',
		isStrict: true,
	};

	test.each([undefined, null, {}, { unknown: 1 }, { maxConcurrency: undefined, maxRetries: null }])(
		'are the defaults for %j',
		(given) => {
			expect(optionsOf(given)).toEqual(DEFAULTS);
		},
	);

	test.each([undefined, null, ''])(
		'given as %j, as an expression may, are those that a person would add: an empty Dry Run sends nothing',
		(empty) => {
			expect(optionsOf({ dryRun: empty, maxConcurrency: empty, maxRetries: empty })).toEqual({
				...DEFAULTS,
				dryRun: true,
			});
		},
	);
});
