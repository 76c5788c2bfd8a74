import path from 'node:path';

import { FILES, textOf } from './documents';

const { dirname, join, normalize, relative } = path.posix;

const sources = FILES.filter((file) => /^(credentials|nodes)\/.*\.ts$/.test(file));

const modules = new Set(FILES.filter((file) => /\.[cm]?[jt]s$/.test(file)));

/** What each file of the repository imports of the project's own: types too, and what is only imported when it is asked for. */
const imports = new Map(
	[...modules].map((file) => {
		const named = [...textOf(file).matchAll(/(?:\bfrom |\bimport |\b(?:import|require)\()'(\.[^']+)'/g)];
		const paths = named.map(([, module]) => normalize(join(dirname(file), module!)));
		return [
			file,
			paths.flatMap(
				(module) => [module, `${module}.ts`, join(module, 'index.ts')].find((name) => modules.has(name)) ?? [],
			),
		];
	}),
);

const layerOf = (file: string) => {
	const [room = '', ...path] = relative('nodes/VoiceAdmin', file).split('/');
	if (file.startsWith('credentials/')) return 'credentials';
	return room === 'transport' && path.length > 1 ? `${room}/${path[0]}` : room;
};

/** Which layers a layer may use. */
const ARROWS: Record<string, string[]> = {
	credentials: ['transport', 'transport/auth', 'transport/response', 'transport/flow', 'time.ts'],
	'VoiceAdmin.node.ts': ['operations', 'methods'],
	'VoiceAdminTrigger.node.ts': ['trigger', 'methods'],
	trigger: [
		'trigger',
		'json.ts',
		'text.ts',
		'operations',
		'parameters',
		'execution',
		'transport',
		'transport/auth',
		'transport/response',
		'transport/flow',
		'time.ts',
	],
	operations: ['operations', 'json.ts', 'parameters', 'execution', 'transport'],
	execution: [
		'execution',
		'json.ts',
		'log.ts',
		'text.ts',
		'parameters',
		'transport',
		'transport/auth',
		'transport/response',
		'transport/flow',
		'time.ts',
	],
	methods: ['methods', 'parameters', 'transport/auth'],
	parameters: ['parameters', 'json.ts'],
	transport: ['transport', 'log.ts', 'text.ts', 'transport/auth', 'transport/response', 'transport/flow', 'time.ts'],
	'transport/auth': [
		'transport/auth',
		'lruCache.ts',
		'json.ts',
		'log.ts',
		'serviceKey.ts',
		'transport/response',
		'transport/flow',
		'time.ts',
	],
	'transport/response': ['transport/response', 'json.ts', 'text.ts', 'transport/flow', 'time.ts'],
	'transport/flow': ['transport/flow', 'lruCache.ts', 'log.ts', 'serviceKey.ts', 'time.ts'],
	'lruCache.ts': [],
	'json.ts': [],
	'log.ts': ['serviceKey.ts'],
	'serviceKey.ts': [],
	'text.ts': [],
	'time.ts': [],
};

test('every source file belongs to a layer', () => {
	expect([...new Set(sources.map(layerOf))].sort()).toEqual(Object.keys(ARROWS).sort());
});

test("no folder has more than nine files, but for a resource's operations, which are as many as the API has", () => {
	const count = new Map<string, number>();
	for (const file of sources.filter((each) => !/\/operations\/\w+\//.test(each)))
		count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
	expect([...count].filter(([, files]) => files > 9)).toEqual([]);
});

test.each(Object.keys(ARROWS))('an arrow never points back up: %s', (layer) => {
	const files = sources.filter((file) => layerOf(file) === layer);
	const upward = files.flatMap((file) =>
		imports.get(file)!.filter((module) => !ARROWS[layer]!.includes(layerOf(module))),
	);
	expect(upward).toEqual([]);
});

test('only tests import from test/', () => {
	const others = [...imports].filter(([file]) => /^(bench|credentials|nodes|sandbox|scripts|simulation)\//.test(file));
	const ofTests = others.flatMap(([file, modules]) =>
		modules.filter((module) => module.startsWith('test/')).map(() => file),
	);
	expect(others.length).toBeGreaterThan(100);
	expect(ofTests).toEqual([]);
});

test('no file depends on itself by way of others', () => {
	const cycles: string[] = [];
	const done = new Set<string>();
	const visit = (file: string, path: string[]): void => {
		if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
		if (path.includes(file) || done.has(file)) return;
		for (const module of imports.get(file)!) visit(module, [...path, file]);
		done.add(file);
	};
	for (const file of modules) visit(file, []);
	expect(cycles).toEqual([]);
});
