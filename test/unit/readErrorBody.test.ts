import { readErrorBody } from '../../nodes/VoiceAdmin/transport/response/readErrorBody';

const API = { status: 'Bad Request', message: 'Not valid' };

test.each<[string, unknown, string, string[]]>([
	['text', ' plain words ', 'plain words', []],
	['errors as text', { ...API, errors: ' Read only ' }, 'Not valid', ['Read only']],
	['errors that repeat the message', { ...API, errors: 'Not valid' }, 'Not valid', []],
	['numbers and booleans', { ...API, errors: [7, false] }, 'Not valid', ['7', 'false']],
	[
		'a list of validation errors',
		{
			...API,
			errors: [
				{ field: 'iso', message: 'must not be blank' },
				{ field: 'idTrunk', message: 'must be positive', rejected: -1, min: 1 },
			],
		},
		'Not valid',
		['iso: must not be blank', 'idTrunk: must be positive (rejected: -1, min: 1)'],
	],
	[
		'errors by field',
		{ ...API, errors: { vatNumber: ['taken', 'wrong'], status: 'odd', none: null } },
		'Not valid',
		['vatNumber: taken, wrong', 'status: odd'],
	],
	[
		'errors by fields that have the names of messages',
		{ ...API, errors: { description: ['too long'], title: 'odd', type: 'odd', path: 'p' } },
		'Not valid',
		['description: too long', 'title: odd', 'type: odd', 'path: p'],
	],
	[
		'FastAPI',
		{
			detail: [
				{ loc: ['body', 'iso'], msg: 'field required', type: 'missing' },
				{ loc: ['query', 0], msg: 'odd' },
			],
		},
		'field required',
		['body.iso: field required', 'query.0: odd'],
	],
	[
		'JSON:API',
		{
			errors: [
				{ status: '422', source: { pointer: '/data/iso' }, title: 'Invalid', detail: 'Unknown' },
				{ source: { parameter: 'page' }, title: 'Odd' },
			],
		},
		'Unknown',
		['/data/iso: Unknown (title: Invalid)', 'page: Odd'],
	],
	[
		'Spring',
		{
			timestamp: 1,
			status: 400,
			error: 'Bad Request',
			message: 'Not valid',
			path: '/x',
			errors: [{ field: 'iso', defaultMessage: 'Odd' }],
		},
		'Not valid',
		['error: Bad Request', 'iso: Odd'],
	],
	[
		'NestJS',
		{ statusCode: 400, message: ['iso is odd', 'idTrunk too'], error: 'Bad Request' },
		'iso is odd',
		['idTrunk too', 'error: Bad Request'],
	],
	[
		'RFC 9457',
		{ type: 'about:blank', title: 'Out of credit', detail: 'Your balance is 30', status: 403 },
		'Your balance is 30',
		['title: Out of credit'],
	],
	[
		'OAuth',
		{ error: 'invalid_client', error_description: 'Client is disabled' },
		'Client is disabled',
		['error: invalid_client'],
	],
	['a number', 7, '', ['7']],
	['what is below the sixth level', { a: { b: { c: { d: { e: { f: { g: 1 } } } } } }, h: 2 }, '', ['h: 2']],
])('%s is read', (_name, body, message, details) => {
	expect(readErrorBody(body)).toEqual({ message, details });
});

test.each([null, '', [], {}, [null, ''], { a: null, errors: [] }])('nothing is read in %j', (body) => {
	expect(readErrorBody(body)).toEqual({ message: '', details: [] });
});

test('no more is read than people read', () => {
	const [first, ...more] = readErrorBody(Array(20_000).fill({ field: 'iso', message: 'x'.repeat(9_000) })).details;
	expect([first?.length, more.length]).toEqual([5_000 + 5, 332]);
	const deep = JSON.parse(`${'{"errors":'.repeat(9_000)}1${'}'.repeat(9_000)}`) as unknown;
	expect(readErrorBody({ message: 'm', deep })).toEqual({ message: 'm', details: [] });
});
