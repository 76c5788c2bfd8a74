import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

import type { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';
import type { time } from '../../nodes/VoiceAdmin/transport/flow/time';
import type { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import type { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';

const ROOT = path.join(__dirname, '..', '..');

/** A small mistake that is made in a source, to see whether it is found. */
export interface Mistake {
	/** In nodes/VoiceAdmin. */
	file: string;
	/** Text that stands in the file exactly once, and what takes its place. */
	from: string;
	to: string;
}

type Module = { exports: Record<string, unknown> };
type Compiled = (exports: Module['exports'], require: (name: string) => unknown, module: Module) => void;

const files = new Map<string, string>();
const fileOf = (name: string): string => {
	const known = files.get(name) ?? [`${name}.ts`, `${name}/index.ts`].map((each) => path.join(ROOT, each)).find(existsSync)!;
	files.set(name, known);
	return known;
};

/** By file: a process runs them again, and so has its own state. */
const compiled = new Map<string, Compiled>();
let mistake: (Mistake & { isMade?: boolean }) | undefined;

/** Makes a mistake in all processes that are started from now on, or none. */
export function makeMistake(next: Mistake | undefined): void {
	for (const { file } of [mistake, next].filter((each) => each !== undefined)) compiled.delete(path.join(ROOT, 'nodes/VoiceAdmin', file));
	mistake = next;
}

function compile(file: string): Compiled {
	const known = compiled.get(file);
	if (known) return known;
	let source = readFileSync(file, 'utf8');
	if (mistake && file.endsWith(`/nodes/VoiceAdmin/${mistake.file}`)) {
		if (source.split(mistake.from).length !== 2) throw new Error(`${mistake.file} does not have exactly once: ${mistake.from}`);
		source = source.replace(mistake.from, () => mistake!.to);
	}
	const { outputText } = transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 } });
	const made = new Function('exports', 'require', 'module', `${outputText}\n//# sourceURL=${path.relative(ROOT, file)}`) as Compiled;
	compiled.set(file, made);
	return made;
}

/** A process of n8n: the package's modules, loaded apart from those of all others, with the time that it is given. */
export class N8nProcess {
	private readonly modules = new Map<string, Module>();

	readonly node = new (this.load('nodes/VoiceAdmin/VoiceAdmin.node').VoiceAdmin as typeof VoiceAdmin)();

	readonly trigger = new (this.load('nodes/VoiceAdmin/VoiceAdminTrigger.node').VoiceAdminTrigger as typeof VoiceAdminTrigger)();

	readonly credential = new (this.load('credentials/VoiceAdminApi.credentials').VoiceAdminApi as typeof VoiceAdminApi)();

	/** @param functions of a world's time and chance. Worlds share a process one after the other, each with a service of its own. */
	setTime(functions: typeof time): void {
		Object.assign(this.load('nodes/VoiceAdmin/transport/flow/time').time as object, functions);
	}

	/** @param name of a module, from the package's folder on, without ".ts" */
	load(name: string): Record<string, unknown> {
		const file = fileOf(name);
		const loaded = this.modules.get(file);
		if (loaded) return loaded.exports;
		const module: Module = { exports: {} };
		this.modules.set(file, module);
		const from = path.dirname(file);
		// Not of this package: one for all processes, as it keeps nothing.
		const need = (other: string) => (other.startsWith('.') ? this.load(path.relative(ROOT, path.join(from, other))) : (require(other) as unknown));
		compile(file)(module.exports, need, module);
		return module.exports;
	}
}
