import { parameterReader } from '../../nodes/VoiceAdmin/execution/itemParameters';

interface Item {
	n?: unknown;
	m?: { o: string };
}

/** Reads a parameter of the items of a run. `evaluate` is what n8n does with it; `evaluations` counts how often. */
function run(raw: unknown, evaluate: (json: Item) => unknown) {
	const shortcuts = new Map();
	let evaluations = 0;
	return {
		read: (json: Item) => {
			const readByN8n = (_name: string, options?: { rawExpressions?: boolean }) => {
				if (options?.rawExpressions) return raw;
				evaluations++;
				return evaluate(json);
			};
			return parameterReader(json, readByN8n, shortcuts)('it');
		},
		evaluations: () => evaluations,
	};
}

test('n8n evaluates a field that an item does not have', () => {
	const { read, evaluations } = run("={{ $json.m['o'] }}", ({ m }) => m?.o ?? 'n8n');
	const items = [{ m: { o: '' } }, { m: { o: 'b' } }, {}, { m: 'text' as never }];
	expect(items.map(read)).toEqual(['', 'b', 'n8n', 'n8n']);
	expect(evaluations()).toBe(3);
});

test('n8n evaluates a field that is NaN, of which it makes nothing', () => {
	const { read, evaluations } = run('={{ $json.n }}', ({ n }) => (Number.isNaN(n) ? '' : n));
	expect([1, NaN, 2].map((n) => read({ n }))).toEqual([1, '', 2]);
	expect(evaluations()).toBe(2);
});

// The first is a field, whose value is another one.
test.each([
	'={{ $json.n }}',
	'={{ $json.n + 1 }}',
	'={{ $json.n }} }}',
	'=\\{{ $json.n }}',
	'={{{ $json.n }}}',
	'={{ $json.n }}{{ 1 }}',
	'=C{{ $json.n }}',
	'={{ $json.n }} ',
	'=text',
	'={{ $json.n.trim() }}',
	'={{ $json["n\\x00"] }}',
	'={{ $("Other").item.json.n }}',
])('n8n evaluates any other expression for each item: %s', (expression) => {
	const { read, evaluations } = run(expression, () => 'evaluated by n8n');
	expect([read({ n: 1 }), read({ n: 2 })]).toEqual(['evaluated by n8n', 'evaluated by n8n']);
	expect(evaluations()).toBe(2);
});
