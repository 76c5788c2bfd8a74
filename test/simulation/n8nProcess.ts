import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

import type { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';
import type { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import type { limiterOf } from '../../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
import type { time } from '../../nodes/VoiceAdmin/time';
import type { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import type { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';

const ROOT = path.join(__dirname, '..', '..');
const NODE = 'nodes/VoiceAdmin';

/** A small mistake: in a file of nodes/VoiceAdmin, another text in place of one that stands there once. */
export type Mistake = [file: string, from: string, to: string];

type Module = { exports: Record<string, unknown> };
type Compiled = (exports: Module['exports'], require: (name: string) => unknown, module: Module) => void;

/** By the module's path. A process runs them again, and so has its own state. */
const compiled = new Map<string, Compiled>();
let mistake: Mistake | undefined;

const moduleOf = ([file]: Mistake) => `${NODE}/${file.replace(/\.ts$/, '')}`;

/** Makes a mistake in all processes that are started from now on. */
export function makeMistake(next: Mistake): void {
	for (const each of [mistake, next]) if (each) compiled.delete(moduleOf(each));
	mistake = next;
}

function compile(name: string): Compiled {
	let source = readFileSync(path.join(ROOT, `${name}.ts`), 'utf8');
	if (mistake && moduleOf(mistake) === name) {
		const [file, from, to] = mistake;
		const parts = source.split(from);
		if (parts.length !== 2) throw new Error(`${file} does not have exactly once: ${from}`);
		source = parts.join(to);
	}
	const { outputText } = transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 } });
	return new Function('exports', 'require', 'module', `${outputText}\n//# sourceURL=${name}.ts`) as Compiled;
}

/** A process of n8n: the package's modules, loaded apart from those of all others, and with the time that it is given. */
export class N8nProcess {
	private readonly modules = new Map<string, Module>();

	readonly node = new (this.load(`${NODE}/VoiceAdmin.node`).VoiceAdmin as typeof VoiceAdmin)();

	readonly trigger = new (this.load(`${NODE}/VoiceAdminTrigger.node`).VoiceAdminTrigger as typeof VoiceAdminTrigger)();

	readonly credential = new (this.load('credentials/VoiceAdminApi.credentials').VoiceAdminApi as typeof VoiceAdminApi)();

	readonly parseCredential = this.load(`${NODE}/transport/auth/credential`).parseCredential as typeof parseCredential;

	readonly limiterOf = this.load(`${NODE}/transport/flow/concurrencyLimiter`).limiterOf as typeof limiterOf;

	/** Worlds use a process one after the other, each with a service and a time of its own. */
	set time(functions: typeof time) {
		Object.assign(this.load(`${NODE}/time`).time as object, functions);
	}

	/** @param given path of a module, from the package's folder on, without ".ts" */
	private load(given: string): Record<string, unknown> {
		const name = existsSync(path.join(ROOT, `${given}.ts`)) ? given : `${given}/index`;
		const loaded = this.modules.get(name);
		if (loaded) return loaded.exports;
		const module: Module = { exports: {} };
		this.modules.set(name, module);
		if (!compiled.has(name)) compiled.set(name, compile(name));
		// What is not of this package keeps nothing, and is the same for all.
		const need = (other: string): unknown => (other.startsWith('.') ? this.load(path.posix.join(path.posix.dirname(name), other)) : require(other));
		compiled.get(name)!(module.exports, need, module);
		return module.exports;
	}
}
