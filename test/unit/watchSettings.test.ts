import { parseWatchSettings } from '../../nodes/VoiceAdmin/trigger/watchSettings';

const parse = (given: object) => {
	const parameters = {
		gatewayIds: '1',
		organizationId: '',
		watch: 'all',
		events: ['appeared', 'changed'],
		options: {},
		...given,
	};
	return parseWatchSettings((name) => parameters[name as 'watch']);
};

test('the settings are those of the parameters, with the request for each gateway in the order given', () => {
	expect(parse({ gatewayIds: '9, 1\u200b', organizationId: ' 10 ', options: { emitOnFirstPoll: true } })).toMatchObject(
		{
			requests: new Map(
				['9', '1'].map((id) => [id, expect.objectContaining({ method: 'GET', path: `/v1/voip/dss/gtw/${id}/10` })]),
			),
			organizationId: '10',
			fields: 'all',
			events: ['appeared', 'changed'],
			emitOnFirstPoll: true,
			maxConcurrency: 200,
			maxRetries: 3,
		},
	);
});

test.each([
	[['1', 2], '1 2'],
	['1\n2', '1 2'],
	[' 1 ,, 2, 1,', '1 2'],
	[['1', ' 2', '', null], '1 2'],
	[12, '12'],
])('the gateways given as %j are %s', (gatewayIds, ids) => {
	expect([...parse({ gatewayIds }).requests.keys()].join(' ')).toBe(ids);
});

test('the fields that are watched are sorted: in another order they are the same', () => {
	expect(parse({ watch: 'selected', fields: 'name\u200b, id,name' }).fields).toEqual(['id', 'name']);
	expect(parse({ watch: 'selected', fields: ['a field', 'b;c'] }).fields).toEqual(['a field', 'b;c']);
	expect(parse({ watch: 'terminationUri', fields: 'name' }).fields).toEqual(['terminationUri']);
});

const IDS = 'Enter gateway IDs, separated by commas, e.g. 1, 12';
const ID = 'Enter the ID as your provider shows it';
const EVENTS = 'Select at least one event (in an expression: appeared, changed, disappeared)';
const TOO_MANY = 'Enter at most 500, and use a second trigger for the others';

test.each<[string, object, string]>([
	['no gateway', { gatewayIds: ' , ' }, `'Gateway IDs' is required. ${IDS}`],
	['a gateway that would change the path', { gatewayIds: '1, ..' }, `'Gateway IDs' isn't valid: "..". ${ID}`],
	['an object among the gateways', { gatewayIds: [{ id: 1 }] }, `'Gateway IDs' isn't valid: {"id":1}. ${IDS}`],
	[
		'more gateways than the maximum',
		{ gatewayIds: [...Array(501).keys()] },
		`'Gateway IDs' has 501 gateways. ${TOO_MANY}`,
	],
	['gateways with other separators', { gatewayIds: '1;5' }, `'Gateway IDs' isn't valid: "1;5". ${IDS}`],
	[
		'a switch that is text',
		{ options: { emitOnFirstPoll: 'yes' } },
		`'Emit on First Poll' isn't valid: "yes". Enter true or false`,
	],
	[
		'no field',
		{ watch: 'selected', fields: '' },
		`'Fields' is required. Enter field names, separated by commas, e.g. terminationUri, name`,
	],
	['another value of Watch', { watch: 'some' }, `'Watch' isn't valid: "some". Enter all, terminationUri or selected`],
	['no event', { events: [] }, `'Trigger On' is required. ${EVENTS}`],
	[
		'an option out of bounds',
		{ options: { maxConcurrency: 0 } },
		`'Max Concurrency' isn't valid: 0. Enter a whole number from 1 to 500`,
	],
])('the trigger refuses %s', (_name, given, message) => {
	expect(() => parse(given)).toThrow(new Error(message));
});
