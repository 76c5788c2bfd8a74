import { createRequire } from 'node:module';
// @ts-expect-error it has no types
import * as scanner from '@n8n/scan-community-package/scanner/scanner.mjs';

// On import, the scanner creates a temporary folder, which would stay after the process has ended.
createRequire(import.meta.resolve('@n8n/scan-community-package/scanner/scanner.mjs'))('tmp').setGracefulCleanup();

/**
 * The part of n8n's gate for verified nodes that is used.
 * @type {{
 *   analyzePackage(folder: string, patterns: string[]): Promise<{ passed: boolean, message?: string, details?: string }>,
 *   buildScanConfig(): Promise<import('eslint').Linter.Config[]>,
 *   SOURCE_FILE_PATTERNS: string[],
 * }}
 */
export const { analyzePackage, buildScanConfig, SOURCE_FILE_PATTERNS } = scanner;
