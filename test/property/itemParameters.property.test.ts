import { CONTINUE, credentialFor, execute, getGateway, json, Recorder } from '../support/executor';
import { CASES, cases, fc, TIME_LIMIT_MS } from './support';

/** Cells of a spreadsheet or fields of an API's response, the odd ones included. */
const cell = fc.oneof(
	fc.constantFrom('=1', '={{ 1 }}', '{{ $json.id }}', ' 7 ', '', '.', '..', '2026-11-21T10:00:00Z'),
	fc.string({ maxLength: 8, unit: 'binary' }),
	fc.jsonValue({ maxDepth: 1 }),
	fc.dictionary(fc.constantFrom('id', 'n'), fc.integer(), { maxKeys: 2 }),
);

const row = fc.record(
	{
		id: cell,
		'Gateway ID': cell,
		length: cell,
		constructor: cell,
		nested: fc.oneof(cell, fc.record({ id: cell, 'the id': cell }, { requiredKeys: [] })),
	},
	{ requiredKeys: [] },
);

const PLAIN = {
	id: 'a',
	'Gateway ID': 'b',
	length: 1,
	constructor: 'f',
	nested: { id: 'c', 'the id': 'd' },
	missing: 'e',
};

const PATHS = [
	'.id',
	'["Gateway ID"]',
	"['Gateway ID']",
	'.length',
	'.constructor',
	'.nested.id',
	".nested['the id']",
	'.missing',
];

const ROWS = 100;

/** How often so many rows, for each path. */
const RUNS = Math.ceil(CASES / PATHS.length / ROWS);

let service: Recorder;

beforeAll(async () => {
	service = await Recorder.start((request, response) => json(response, 200, { target: request.target }));
});

afterAll(async () => {
	await service.close();
});

async function outcomes(items: Array<Record<string, unknown>>, expression: string) {
	const { output, error } = await execute({
		items: items as never,
		parameters: getGateway(expression),
		credential: credentialFor(service.url),
		settings: CONTINUE,
	});
	return { output: output.map(({ json: body }) => body), error: error?.message };
}

test.each(PATHS)(
	`has the value without n8n that n8n evaluates: %j (${cases(RUNS * ROWS)})`,
	async (path) => {
		await fc.assert(
			fc.asyncProperty(fc.array(row, { minLength: ROWS, maxLength: ROWS }), async (rows) => {
				// The first item decides whether a field is read without n8n: it has all of them.
				const items = [PLAIN, ...(JSON.parse(JSON.stringify(rows)) as Array<Record<string, unknown>>)];
				// In parentheses, it is an expression that only n8n evaluates.
				expect(await outcomes(items, `={{ $json${path} }}`)).toEqual(await outcomes(items, `={{ ($json${path}) }}`));
			}),
			{ numRuns: RUNS },
		);
	},
	TIME_LIMIT_MS * 2,
);
