import js from '@eslint/js';
import tsParser from '@typescript-eslint/parser';
import globals from 'globals';
import { buildScanConfig } from './scripts/release/scanner.mjs';

/**
 * The rules are those of the gate for verified nodes, taken from the gate itself, so that what
 * passes here passes there. They are about what is published: nodes, credentials, package.json.
 */
const published = ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'];

export default [
	{ ignores: ['**/node_modules/', 'dist/', '.cache/', '.demo/', 'package-lock.json'] },
	...(await buildScanConfig()).map((/** @type {import('eslint').Linter.Config} */ config) => ({
		files: published,
		...config,
	})),
	{
		files: ['**/*.{js,cjs,mjs,ts,mts}'],
		languageOptions: { globals: globals.node },
		rules: {
			...js.configs.recommended.rules,
			eqeqeq: 'error',
			'max-len': [
				'error',
				{
					code: 140,
					tabWidth: 2,
					// Rows of a table in a comment.
					ignorePattern: '^\\s*\\* \\|',
					ignoreStrings: true,
					ignoreTemplateLiterals: true,
					ignoreUrls: true,
				},
			],
			'no-shadow': 'error',
			'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
			'no-var': 'error',
			'prefer-const': 'error',
		},
	},
	{
		// What npm run operation asks a person to decide.
		files: ['nodes/**/*.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				...['Literal[value=/TODO:/]', 'TemplateElement[value.raw=/TODO:/]'].map((selector) => ({
					selector,
					message: 'Decide what it asks: see "Adding an operation" in CONTRIBUTING.md',
				})),
			],
		},
	},
	{
		files: ['**/*.{ts,mts}'],
		languageOptions: { parser: tsParser },
		// What the compiler says better, as it knows types.
		rules: {
			'no-dupe-class-members': 'off',
			'no-redeclare': 'off',
			'no-shadow': 'off',
			'no-undef': 'off',
			'no-unused-vars': 'off',
		},
	},
	{
		files: ['sandbox/public/*.js'],
		languageOptions: { globals: globals.browser },
		// What a workflow sends is shown as text, and never put together as HTML.
		rules: {
			'no-restricted-properties': [
				'error',
				...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write'].map((property) => ({ property })),
			],
		},
	},
	{
		// Their regular expressions are rewritten by an issue of their own: what the node knows of error messages and of encodings.
		files: ['nodes/VoiceAdmin/transport/response/{connectionErrors,redact}.ts'],
		rules: { 'max-len': 'off' },
	},
	// Old Nodes read this one, too.
	{ files: ['scripts/run.mjs'], rules: { 'no-var': 'off' } },
];
