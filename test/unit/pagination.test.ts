import { RunHistory } from '../../nodes/VoiceAdmin/execution/runHistory';
import { Workflow } from 'n8n-workflow';

import { executeItems, type RunInput } from '../../nodes/VoiceAdmin/execution/executeItems';
import { buildRequests } from '../../nodes/VoiceAdmin/operations/buildRequests';
import type { Operation, Pagination } from '../../nodes/VoiceAdmin/operations/operation';
import { LIST_FIELDS } from '../../nodes/VoiceAdmin/operations/pagination';
import { toolDescriptionField } from '../../nodes/VoiceAdmin/operations/toolDescription';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import {
	contextOf,
	credentialFor,
	CredentialStore,
	json,
	nodeOf,
	nodeTypesOf,
	startService,
} from '../support/executor';

const NODE = nodeOf('Voice Admin', 'voiceAdmin');

const SIZE = { property: 'per_page', max: 3 };
const listOf = (page: Pagination['page']): Operation => ({
	option: { name: 'Get Many', value: 'getMany', routing: { request: { method: 'GET', url: '/v1/calls' } } },
	toolDescription: 'Gets calls.',
	emptyResponse: 'none',
	rootProperty: 'calls',
	pagination: { size: SIZE, page },
	fields: LIST_FIELDS,
});

const BY_NUMBER = listOf({ property: 'page', type: 'number', first: 1 });
const BY_OFFSET = listOf({ property: 'offset', type: 'offset', first: 0 });
const BY_OFFSET_1 = listOf({ property: 'start', type: 'offset', first: 1 });
const BY_CURSOR = listOf({ property: 'after', type: 'cursor', cursor: 'meta.next' });

/** Gets a list of so many calls, of which a service shows a page; what comes out, and the queries that it got. */
async function listed(operation: Operation, count: number, parameters: object, ignoresPage = false) {
	const queries: string[] = [];
	const service = await startService(({ target }, response) => {
		const query = new URL(target, 'http://service').searchParams;
		queries.push(query.toString());
		const size = Number(query.get('per_page'));
		const from = ignoresPage
			? 0
			: Number(query.get('offset') ?? query.get('after') ?? (Number(query.get('page') ?? 1) - 1) * size);
		const calls = Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, nth) => ({ id: from + nth }));
		json(response, 200, { calls, meta: { next: from + size < count ? String(from + size) : null } });
	});
	return { ...(await listedFrom(service.url, operation, parameters)), queries };
}

/** What comes out of a service's list. */
async function listedFrom(url: string, operation: Operation, parameters: object) {
	const workflow = new Workflow({
		nodes: [NODE],
		connections: {},
		active: false,
		nodeTypes: nodeTypesOf({ [NODE.type]: new VoiceAdmin() }),
	});
	const n8nContext = contextOf(workflow, NODE, new CredentialStore(credentialFor(url)), 'trigger');
	const context: RunInput['context'] = Object.create(n8nContext, { continueOnFail: { value: () => false } });
	const readParameter = (name: string) => (parameters as Record<string, unknown>)[name];
	const run = { context, items: [{ json: {} }], readParameter, history: new RunHistory({}, '0') };
	const output = await executeItems(run, (read) => buildRequests(operation, read));
	return { ids: output.map((item) => item.json.id), output };
}

const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth);

test.each<[string, Operation, string[]]>([
	['by its number', BY_NUMBER, ['per_page=3', 'per_page=3&page=2', 'per_page=3&page=3', 'per_page=3&page=4']],
	[
		'by the number of results before it',
		BY_OFFSET,
		['per_page=3', 'per_page=3&offset=3', 'per_page=3&offset=6', 'per_page=3&offset=7'],
	],
	['by a cursor', BY_CURSOR, ['per_page=3', 'per_page=3&after=3', 'per_page=3&after=6']],
])('Return All gets every page, %s', async (_how, operation, queries) => {
	expect(await listed(operation, 7, { returnAll: true })).toMatchObject({ ids: numbers(7), queries });
});

test.each([
	[2, ['per_page=2'], 2],
	[3, ['per_page=3'], 3],
	[5, ['per_page=3', 'per_page=3&page=2'], 5],
	[undefined, ['per_page=3', 'per_page=3&page=2', 'per_page=3&page=3', 'per_page=3&page=4'], 7],
])('with a Limit of %j, no more pages are sent for than are needed', async (limit, queries, count) => {
	expect(await listed(BY_NUMBER, 7, { returnAll: false, limit })).toMatchObject({ ids: numbers(count), queries });
});

test('a service that ignores the page is asked for one more, and its results come out once', async () => {
	expect(await listed(BY_NUMBER, 7, { returnAll: true }, true)).toMatchObject({
		ids: numbers(3),
		queries: ['per_page=3', 'per_page=3&page=2'],
	});
});

/** What comes out of pages that a service returns one after the other, and how many it is asked for. */
async function listedOf(operation: Operation, pages: object[]) {
	let asked = 0;
	const service = await startService((_request, response) =>
		json(response, 200, pages[Math.min(asked++, pages.length - 1)]!),
	);
	const { ids } = await listedFrom(service.url, operation, { returnAll: true });
	return [ids, asked];
}

test('a page is not smaller than the service allows, and offsets count from where its document says', async () => {
	const { ids, queries } = await listed(
		{ ...BY_NUMBER, pagination: { ...BY_NUMBER.pagination!, size: { ...SIZE, min: 2 } } },
		9,
		{ limit: 1 },
	);
	expect([ids, queries]).toEqual([[0], ['per_page=2']]);
	const [first] = buildRequests(BY_OFFSET_1, (name) => name === 'returnAll').requests;
	expect(first!.page!.next(3, 3, {})!.query).toEqual({ per_page: 3, start: 4 });
});

const API_404 = { status: 'Not Found', message: 'There is no such page', errors: 'No page 2' };

test.each<[string, Operation, number, unknown, unknown]>([
	['after the last page ends the list', BY_NUMBER, 2, API_404, [1]],
	['of the first page is an error', BY_NUMBER, 1, API_404, /There is no such page/],
	['for a cursor is an error', BY_CURSOR, 2, API_404, /There is no such page/],
	['of a gateway in front of the API is an error', BY_NUMBER, 2, { error: 'no Route matched' }, /no Route matched/],
	['without JSON is an error', BY_NUMBER, 2, undefined, /404/],
])('a 404 %s', async (_what, operation, at, body, expected) => {
	let asked = 0;
	const service = await startService((_request, response) => {
		if (++asked < at) return json(response, 200, { calls: [{ id: 1 }], meta: { next: 'b' } });
		return body === undefined
			? void response.writeHead(404, { 'content-type': 'text/html' }).end('<html></html>')
			: json(response, 404, body);
	});
	const result = await listedFrom(service.url, operation, { returnAll: true }).then(
		({ ids }) => ids,
		(error: Error) => error.message,
	);
	expect(result).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected);
});

test('another error than 404 of a later page is an error', async () => {
	let asked = 0;
	const service = await startService((_request, response) =>
		++asked === 1 ? json(response, 200, { calls: [{ id: 1 }] }) : json(response, 400, API_404),
	);
	await expect(listedFrom(service.url, BY_NUMBER, { returnAll: true })).rejects.toThrow('There is no such page');
});

test("a tool's description tells Return All and Limit in the order of the editor", () => {
	const id = { displayName: 'ID', name: 'id', type: 'string' as const, default: '', pathSegment: true as const };
	const { default: text } = toolDescriptionField({ ...BY_NUMBER, fields: [id, ...LIST_FIELDS] });
	expect(String(text).match(/(?<=^- )[\w ]+(?= \()/gm)).toEqual(['ID', 'Return All', 'Limit']);
});

const calls = (...ids: number[]) => ids.map((id) => ({ id }));

test.each<[string, Operation, object[], number[], number]>([
	[
		'a page after the last one that leaves the list out',
		BY_NUMBER,
		[{ calls: calls(1) }, { page: 2, calls: null }, { page: 3 }],
		[1],
		2,
	],
	['null in place of a list', BY_NUMBER, [{ calls: null }, { page: 2 }], [], 1],
	[
		'a first page without a list, which may be an error, as its item',
		BY_NUMBER,
		[{ id: 'quota exceeded' }, { page: 2 }],
		['quota exceeded'] as never,
		2,
	],
	[
		'an empty page, and a cursor',
		BY_CURSOR,
		[{ calls: calls(1), meta: { next: 'b' } }, { calls: [], meta: { next: 'c' } }, { calls: calls(2) }],
		[1, 2],
		3,
	],
	[
		'two empty pages, and a cursor',
		BY_CURSOR,
		[
			{ calls: calls(1), meta: { next: 'b' } },
			{ calls: [], meta: { next: 'c' } },
			{ calls: [], meta: { next: 'd' } },
			{ calls: calls(2) },
		],
		[1, 2],
		4,
	],
	['null in place of the response', BY_NUMBER, [null as never], [], 1],
	[
		'a later page with another thing in place of the list, as its item',
		BY_NUMBER,
		[{ calls: calls(1, 2, 3) }, { id: 'failed', calls: 'none' }],
		[1, 2, 3, 'failed'] as never,
		3,
	],
	[
		'cursors in a circle',
		BY_CURSOR,
		[
			{ calls: calls(1), meta: { next: 'b' } },
			{ calls: calls(2), meta: { next: 'c' } },
			{ calls: calls(3), meta: { next: 'b' } },
		],
		[1, 2, 3],
		3,
	],
	[
		'no property around the list',
		{ ...BY_NUMBER, rootProperty: undefined } as never,
		[calls(1, 2), calls(3), []],
		[1, 2, 3],
		3,
	],
])('Return All with %s', async (_what, operation, pages, ids, asked) => {
	expect(await listedOf(operation, pages)).toEqual([ids, asked]);
});

test('an empty list has no items', async () => {
	expect((await listed(BY_NUMBER, 0, { returnAll: true })).output).toEqual([]);
});

test.each([
	[{ limit: 0 }, "'Limit' is not valid: 0. Enter a whole number, e.g. 50"],
	[{ returnAll: 'maybe' }, `'Return All' is not valid: "maybe". Enter true or false`],
])('%j is an error before anything is sent', async (parameters, message) => {
	await expect(listed(BY_NUMBER, 7, parameters)).rejects.toThrow(message);
});
