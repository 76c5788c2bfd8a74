import { parametersOf } from '../../nodes/VoiceAdmin/execution/itemParameters';

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
			return parametersOf(json, readByN8n, shortcuts)('it');
		},
		evaluations: () => evaluations,
	};
}

test('what is fixed, or a field of the item, also in a text or a resource locator, is evaluated for the first item only', () => {
	const cases: Array<[raw: unknown, value: (n: unknown) => unknown, read: (n: unknown) => unknown]> = [
		[{ maxRetries: 2 }, () => ({ maxRetries: 2 }), () => ({ maxRetries: 2 })],
		['={{ $json.n }}', (n) => n, (n) => n],
		['=C-{{ $json.n }}, {{ $json["n"] }}.', (n) => `C-${String(n)}, ${String(n)}.`, (n) => `C-${String(n)}, ${String(n)}.`],
		[{ __rl: true, mode: 'code', value: '={{ $json.n }}' }, (n) => ({ __rl: true, mode: 'code', value: n }), (n) => n],
	];
	for (const [raw, value, expected] of cases) {
		const { read, evaluations } = run(raw, ({ n }) => value(n));
		expect([1, 'two', true].map((n) => read({ n }))).toEqual([1, 'two', true].map(expected));
		expect(evaluations()).toBe(1);
	}
});

test('fields that stand side by side are all taken from the item, and by n8n where one of them is missing', () => {
	const { read, evaluations } = run('={{ $json.n }}{{ $json.m.o }}', ({ n, m }) => `${String(n)}${m?.o ?? ''}`);
	const items = [{ n: 'a', m: { o: '' } }, { n: 'a', m: { o: 'b' } }, { n: 'a' }, { n: 'a', m: 'text' as never }];
	expect(items.map(read)).toEqual(['a', 'ab', 'a', 'a']);
	expect(evaluations()).toBe(3);
});

test('n8n evaluates a field that is NaN, of which it makes nothing', () => {
	const { read, evaluations } = run('=C{{ $json.n }}', ({ n }) => (Number.isNaN(n) ? 'C' : `C${String(n)}`));
	expect([1, NaN, 2].map((n) => read({ n }))).toEqual(['C1', 'C', 'C2']);
	expect(evaluations()).toBe(2);
});

test.each(['={{ $json.n + 1 }}', '={{ $json.n }} }}', '=\\{{ $json.n }}', '={{{ $json.n }}}', '={{ $json.n }}{{ 1 }}',
	'=text', '={{ $json.n.trim() }}', '={{ $json["n\\x00"] }}', '={{ $("Other").item.json.n }}'])(
	'n8n evaluates any other expression for each item: %s',
	(expression) => {
		const { read, evaluations } = run(expression, () => 'evaluated by n8n');
		expect([read({ n: 1 }), read({ n: 2 })]).toEqual(['evaluated by n8n', 'evaluated by n8n']);
		expect(evaluations()).toBe(2);
	},
);

test('n8n evaluates a parameter for each item where its value for the first item is not that of the field', () => {
	const { read, evaluations } = run('={{ $json.n }}', ({ n }) => `not ${String(n)}`);
	expect([read({ n: 1 }), read({ n: 2 })]).toEqual(['not 1', 'not 2']);
	expect(evaluations()).toBe(2);
});
