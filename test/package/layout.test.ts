import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(__dirname, '../..');

const sources = ['credentials', 'nodes'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);

/** What each source file imports of the project's own, types included. */
const imports = new Map(
	sources.map((file) => {
		const text = readFileSync(join(root, file), 'utf8');
		const modules = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, module]) => normalize(join(dirname(file), module!)));
		return [file, modules.map((module) => (existsSync(join(root, `${module}.ts`)) ? `${module}.ts` : join(module, 'index.ts')))];
	}),
);

const layerOf = (file: string) => (file.startsWith('credentials/') ? 'credentials' : relative('nodes/VoiceAdmin', file).split('/')[0]!);

/** Which layers a layer may use. */
const ARROWS: Record<string, string[]> = {
	credentials: ['transport'],
	'VoiceAdmin.node.ts': ['operations', 'methods'],
	'VoiceAdminTrigger.node.ts': ['trigger', 'methods'],
	trigger: ['trigger', 'operations', 'parameters', 'execution', 'transport'],
	operations: ['operations', 'parameters', 'transport'],
	methods: ['methods', 'transport'],
	parameters: ['parameters'],
};

test.each(Object.keys(ARROWS))('an arrow never points back up: %s', (layer) => {
	for (const [file, modules] of imports) {
		if (layerOf(file) !== layer) continue;
		for (const module of modules) expect(`${file} uses ${ARROWS[layer]!.includes(layerOf(module)) ? 'what it may' : module}`).toBe(`${file} uses what it may`);
	}
});

test('no file depends on itself by way of others', () => {
	const cycles: string[] = [];
	const visit = (file: string, path: string[]): void => {
		if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
		else for (const module of imports.get(file) ?? []) visit(module, [...path, file]);
	};
	for (const file of sources) visit(file, []);
	expect(cycles).toEqual([]);
});
