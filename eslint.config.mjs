import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import tsParser from '@typescript-eslint/parser';

/**
 * The rules are those of the gate for verified nodes, taken from the gate itself, so that what
 * passes here passes there. They are about what is published: nodes, credentials, package.json.
 */
const published = ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'];

export default [
	{ ignores: ['**/node_modules/', 'dist/', '.cache/', '.demo/', 'package-lock.json'] },
	...(await buildScanConfig()).map((config) => ({ files: published, ...config })),
	{
		// Elsewhere eslint only makes sure that the file can be read.
		files: ['sandbox/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts'],
		languageOptions: { parser: tsParser },
	},
];
