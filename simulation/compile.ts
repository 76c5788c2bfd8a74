import path from 'node:path';
import { build } from 'esbuild';

/** The package as one process of n8n has loaded it. */
export type Package = typeof import('./package');

/** Compiles the package. @returns what loads it once more, with a state of its own */
export async function compile(): Promise<() => Package> {
	const { outputFiles } = await build({
		entryPoints: [path.join(__dirname, 'package.ts')],
		bundle: true,
		platform: 'node',
		// They keep nothing, and are the same for all.
		packages: 'external',
		write: false,
	});
	const evaluateModule = new Function('module', 'require', outputFiles[0]!.text) as (
		module: { exports?: Package },
		requireModule: typeof require,
	) => void;
	return () => {
		const module: { exports?: Package } = {};
		evaluateModule(module, require);
		return module.exports!;
	};
}
