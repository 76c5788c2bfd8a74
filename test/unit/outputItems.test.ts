import { outputItems } from '../../nodes/VoiceAdmin/execution/outputItems';
import { parseBody } from '../../nodes/VoiceAdmin/transport/response/readResponse';

const SUCCESS = [{ success: true, note: 'x' }];

// What the three operations here never get: others may.
test.each<[string, object, object[]]>([
	['a read that found nothing gives no item', { method: 'GET' }, []],
	['a search by POST that found nothing gives no item', { method: 'POST', isResult: Array.isArray }, []],
	['any other POST gives what was sent', { method: 'POST' }, SUCCESS],
	['a GET that creates gives what was sent', { method: 'GET', creates: 'book' }, SUCCESS],
])('of an empty list, %s', (_what, request, expected) => {
	const response = { status: 200, headers: {}, body: parseBody('[]') };
	const items = outputItems(response, { path: '/', fields: { note: 'x' }, ...request } as never, 0);
	expect(items?.map(({ json }) => json)).toEqual(expected);
});
