import ts from 'typescript';

import { blocksOf, FILES, textOf } from './documents';

const sources = FILES.filter((file) => /^(credentials|nodes)\/.*\.ts$/.test(file));
const [way = '', states = ''] = blocksOf(textOf('CONTRIBUTING.md')).filter(({ language }) => language === 'mermaid').map(({ text }) => text);

/** What a file exports by name. */
function exportsOf(file: string): string[] {
	const { statements } = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
	return statements.flatMap((statement) => {
		if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
		if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
		const { name } = statement as ts.FunctionDeclaration | ts.ClassDeclaration;
		return name ? [name.text] : [];
	});
}

const exported = new Map(sources.flatMap((file) => exportsOf(file).map((name) => [name, file] as const)));

test('every box of the way of a request begins with a name that the code exports', () => {
	const names = [...way.matchAll(/(?<!\()\["([^"<]+)/g)].map(([, name]) => name!);
	expect(names.length).toBeGreaterThan(15);
	expect(names.filter((name) => !exported.has(name))).toEqual([]);
});

test('the states of a key, and what leads from one to another, are those of the circuit breaker', () => {
	expect([...exported.keys()]).toContain('CircuitBreaker');
	const file = exported.get('CircuitBreaker')!;
	const drawn = [...states.matchAll(/^\s*(\w+) --> (\w+):/gm)].map(([, from, to]) => `${from} → ${to}`);
	const names = new Set(drawn.flatMap((arrow) => arrow.split(' → ')));
	// Rows of the table in its docstring: state, what happens, state after it.
	const rows = [...textOf(file).matchAll(/^ \* \| (\w+) \| .* \| (.*) \|$/gm)].filter(([, from]) => from !== 'state');
	const ruled = rows.flatMap(([, from, after]) => after!.split(/\W+/).filter((word) => names.has(word)).map((to) => `${from} → ${to}`));
	expect(drawn.sort()).toEqual([...new Set(ruled)].sort());
});
