import tour from '../../examples/tour.json';
import { evaluate } from './run';

const ours = tour.nodes.filter(({ type }) => type === 'n8n-nodes-voice-admin.voiceAdmin');
const outcomeOf = (runs: unknown) => evaluate('n8n/outcome.mts', `module.outcomeOf(${JSON.stringify(runs)})`);

describe('the tour', () => {
	it('has an expectation for each of its nodes, and none for others', async () => {
		const expected = await evaluate('demo/tour.mts', 'Object.keys(module.EXPECTED)');
		expect((expected as string[]).sort()).toEqual(ours.map(({ name }) => name).sort());
	});

	it('reaches each of its nodes', () => {
		const reached = Object.values(tour.connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
		expect(reached.sort()).toEqual(ours.map(({ name }) => name).sort());
	});
});

describe('what came out of a node', () => {
	it('is its items over all outputs', async () => {
		expect(await outcomeOf([{ data: { main: [[{ json: { a: 1 } }], null, [{ json: { b: 2 } }]] } }])).toEqual({ json: [{ a: 1 }, { b: 2 }], errors: [] });
	});

	it.each([
		['an object in the item', { json: { error: { message: 'no', description: 'because', httpCode: '404' } } }],
		['a message in the item', { json: { error: 'no', description: 'because', httpCode: '404' } }],
		['beside the item', { json: {}, error: { message: 'no', description: 'because', httpCode: 404 } }],
	])('is an error, when n8n has written it as %s', async (_where, item) => {
		expect(await outcomeOf([{ data: { main: [[], [item]] } }])).toEqual({ json: [], errors: [{ message: 'no', description: 'because', httpCode: '404' }] });
	});
});
