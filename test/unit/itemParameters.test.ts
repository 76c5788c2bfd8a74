import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { parametersOf } from '../../nodes/VoiceAdmin/execution/itemParameters';

/** A run's items with parameters that n8n would evaluate by `evaluate`; counts how often it is asked to. */
function run(raw: unknown, evaluate: (json: { n?: unknown }) => unknown) {
	const shortcuts = new Map();
	let asked = 0;
	return {
		read: (json: { n?: unknown }) => {
			const getNodeParameter = (_name: string, _fallback: unknown, options?: { rawExpressions?: boolean }) => {
				if (options?.rawExpressions) return raw;
				asked++;
				return evaluate(json);
			};
			return parametersOf({ getInputData: () => ({ json }), getNodeParameter } as unknown as IExecutePaginationFunctions, shortcuts)('it');
		},
		asked: () => asked,
	};
}

test('what all items have in common is evaluated once', () => {
	const { read, asked } = run({ maxRetries: 2 }, () => ({ maxRetries: 2 }));
	expect([read({}), read({}), read({})]).toEqual([{ maxRetries: 2 }, { maxRetries: 2 }, { maxRetries: 2 }]);
	expect(asked()).toBe(1);
});

test('a field of the item is evaluated for the first item only', () => {
	const { read, asked } = run('={{ $json.n }}', ({ n }) => n);
	expect([read({ n: 1 }), read({ n: 'two' }), read({ n: true })]).toEqual([1, 'two', true]);
	expect(asked()).toBe(1);
});

test('so is one in a resource locator, whose value is given', () => {
	const { read, asked } = run({ __rl: true, mode: 'code', value: '={{ $json.n }}' }, ({ n }) => ({ __rl: true, mode: 'code', value: n }));
	expect([read({ n: 'IT' }), read({ n: 'FR' })]).toEqual(['IT', 'FR']);
	expect(asked()).toBe(1);
});

test('an item without the field, or with anything but a text, a number or a boolean in it, is left to n8n', () => {
	const { read, asked } = run('={{ $json.n }}', ({ n }) => n ?? 'what n8n says');
	expect([read({ n: 1 }), read({}), read({ n: null }), read({ n: 4 })]).toEqual([1, 'what n8n says', 'what n8n says', 4]);
	expect(asked()).toBe(3);
});

test.each(['={{ $json.n + 1 }}', '={{ $json.n }} ', '=no {{ $json.n }}', '={{ $json.n.trim() }}', '={{ $json["n\\x00"] }}', '={{ $("Other").item.json.n }}'])(
	'any other expression is left to n8n: %s',
	(expression) => {
		const { read, asked } = run(expression, () => 'what n8n says');
		expect([read({ n: 1 }), read({ n: 2 })]).toEqual(['what n8n says', 'what n8n says']);
		expect(asked()).toBe(2);
	},
);

test('a parameter for which n8n says something else than its text is left to n8n', () => {
	const { read, asked } = run('={{ $json.n }}', ({ n }) => `not ${String(n)}`);
	expect([read({ n: 1 }), read({ n: 2 })]).toEqual(['not 1', 'not 2']);
	expect(asked()).toBe(2);
});
