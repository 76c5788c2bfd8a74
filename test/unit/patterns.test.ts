import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodePropertyRegexValidation } from 'n8n-workflow';
import { checkSync } from 'recheck';
import ts from 'typescript';

import { everyOperation } from '../support/everyOperation';

// Its other backends are programs for some platforms only.
process.env.RECHECK_BACKEND = 'pure';

const ROOT = path.join(__dirname, '..', '..');

/** Every regular expression in the published source, with its file. */
function patterns(): Array<[where: string, source: string, flags: string]> {
	const found: Array<[string, string, string]> = [];
	for (const folder of ['nodes', 'credentials']) {
		for (const file of readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
			if (!file.endsWith('.ts')) continue;
			const where = path.join(folder, file);
			const visit = (node: ts.Node): void => {
				const literal = ts.isRegularExpressionLiteral(node) ? /^\/(.*)\/([a-z]*)$/s.exec(node.text) : null;
				if (literal) found.push([`${path.basename(where)}: ${literal[0].slice(0, 80)}`, literal[1]!, literal[2]!]);
				ts.forEachChild(node, visit);
			};
			visit(ts.createSourceFile(where, readFileSync(path.join(ROOT, where), 'utf8'), ts.ScriptTarget.Latest));
		}
	}
	return found;
}

/** Those of descriptions, which n8n's editor makes of texts. */
const inDescriptions = everyOperation().flatMap(({ fields }) =>
	fields.flatMap(({ name, modes = [] }) =>
		modes.flatMap(({ validation = [] }) =>
			(validation as INodePropertyRegexValidation[]).map(({ properties: { regex } }): [string, string, string] => [
				`field ${name}: ${regex.slice(0, 80)}`,
				`^${regex}$`,
				'',
			]),
		),
	),
);

test('the codes that are typed into Country are among the patterns', () => expect(inDescriptions).toHaveLength(1));

test.each([...patterns(), ...inDescriptions])('%s runs in linear time', (_where, source, flags) => {
	// However long each of its steps takes: one that a busy machine cuts short finds polynomial time where there is none.
	const noLimits = { timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };
	const result = checkSync(source, flags, { ...noLimits, randomSeed: 1 });
	expect(result).toMatchObject({ status: 'safe', complexity: { type: expect.stringMatching(/^(?:safe|linear)$/) } });
});

test('a pattern that runs in quadratic time is detected', () => {
	// With this one, a page of 360 KB blocked n8n for 11 seconds.
	expect(checkSync('<title[^>]*>([^<]*)', 'i').status).toBe('vulnerable');
});
