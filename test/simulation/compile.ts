import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/** A small mistake: in a file of nodes/VoiceAdmin, another text in place of one that stands there once. */
export type Mistake = [file: string, from: string, to: string];

const making = ([file, from, to]: Mistake): Plugin => ({
	name: 'mistake',
	setup: ({ onLoad }) =>
		onLoad({ filter: /\.ts$/ }, (module) => {
			if (!module.path.endsWith(path.join('nodes', 'VoiceAdmin', file))) return undefined;
			const parts = readFileSync(module.path, 'utf8').split(from);
			if (parts.length !== 2) throw new Error(`${file} does not have exactly once: ${from}`);
			return { contents: parts.join(to), loader: 'ts' };
		}),
});

/** The package as one process of n8n has loaded it. */
export type Package = typeof import('./package');

/** Compiles the package. @returns what loads it once more, with a state of its own */
export async function compile(mistake?: Mistake): Promise<() => Package> {
	const { outputFiles } = await build({
		entryPoints: [path.join(__dirname, 'package.ts')],
		bundle: true,
		platform: 'node',
		// They keep nothing, and are the same for all.
		packages: 'external',
		plugins: mistake ? [making(mistake)] : [],
		write: false,
	});
	const run = new Function('module', 'require', outputFiles[0]!.text) as (
		module: { exports?: Package },
		need: typeof require,
	) => void;
	return () => {
		const module: { exports?: Package } = {};
		run(module, require);
		return module.exports!;
	};
}
