import { parametersOf } from '../../nodes/VoiceAdmin/execution/itemParameters';

/** Reads a parameter of the items of a run. `evaluate` is what n8n does with it; `evaluations` counts how often. */
function run(raw: unknown, evaluate: (json: { n?: unknown }) => unknown) {
	const shortcuts = new Map();
	let evaluations = 0;
	return {
		read: (json: { n?: unknown }) => {
			const readByN8n = (_name: string, options?: { rawExpressions: boolean }) => {
				if (options?.rawExpressions) return raw;
				evaluations++;
				return evaluate(json);
			};
			return parametersOf(json, readByN8n, shortcuts)('it');
		},
		evaluations: () => evaluations,
	};
}

test('a parameter without an expression is evaluated once for all items', () => {
	const { read, evaluations } = run({ maxRetries: 2 }, () => ({ maxRetries: 2 }));
	expect([read({}), read({}), read({})]).toEqual([{ maxRetries: 2 }, { maxRetries: 2 }, { maxRetries: 2 }]);
	expect(evaluations()).toBe(1);
});

test('a parameter that is a field of the item is evaluated for the first item only', () => {
	const { read, evaluations } = run('={{ $json.n }}', ({ n }) => n);
	expect([read({ n: 1 }), read({ n: 'two' }), read({ n: true })]).toEqual([1, 'two', true]);
	expect(evaluations()).toBe(1);
});

test('a parameter that is text with fields of the item in it is evaluated for the first item only', () => {
	const { read, evaluations } = run('=C-{{ $json.n }}, {{ $json["n"] }}.', ({ n }) => `C-${String(n)}, ${String(n)}.`);
	expect([read({ n: 1 }), read({ n: 'two' }), read({ n: true })]).toEqual(['C-1, 1.', 'C-two, two.', 'C-true, true.']);
	expect(evaluations()).toBe(1);
	expect(read({})).toBe('C-undefined, undefined.');
	expect(evaluations()).toBe(2);
});

test('a resource locator with a field of the item is evaluated for the first item only, and read as its value', () => {
	const { read, evaluations } = run({ __rl: true, mode: 'code', value: '={{ $json.n }}' }, ({ n }) => ({ __rl: true, mode: 'code', value: n }));
	expect([read({ n: 'IT' }), read({ n: 'FR' })]).toEqual(['IT', 'FR']);
	expect(evaluations()).toBe(1);
});

test('n8n evaluates an item where the field is missing, or is neither text nor a number nor a boolean', () => {
	const { read, evaluations } = run('={{ $json.n }}', ({ n }) => n ?? 'evaluated by n8n');
	expect([read({ n: 1 }), read({}), read({ n: null }), read({ n: 4 })]).toEqual([1, 'evaluated by n8n', 'evaluated by n8n', 4]);
	expect(evaluations()).toBe(3);
});

test.each(['={{ $json.n + 1 }}', '={{ $json.n }} }}', '=\\{{ $json.n }}', '={{{ $json.n }}}', '={{ $json.n }}{{ 1 }}', '=text', '={{ $json.n.trim() }}', '={{ $json["n\\x00"] }}', '={{ $("Other").item.json.n }}'])(
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
