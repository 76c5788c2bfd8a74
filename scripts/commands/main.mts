import { type Command, runCommand } from './command.mts';

/** The commands, by their scripts in package.json; imported when they are asked for, as some import much. */
const COMMANDS: Record<string, () => Promise<Command>> = {
	start: async () => (await import('./start.mts')).start,
	test: async () => (await import('./test.mts')).test,
	'test:full': async () => (await import('./test.mts')).testFull,
	mutation: async () => (await import('./test.mts')).mutation,
	sandbox: async () => (await import('./sandbox.mts')).sandbox,
	e2e: async () => (await import('./e2e.mts')).e2e,
	'e2e:browser': async () => (await import('./e2e.mts')).e2eBrowser,
	'e2e:page': async () => (await import('./e2e.mts')).e2ePage,
	'e2e:queue': async () => (await import('./e2e.mts')).e2eQueue,
	'created-once': async () => (await import('./e2e.mts')).createdOnce,
	simulate: async () => (await import('./simulate.mts')).simulate,
	bench: async () => (await import('../../bench/run.mts')).bench,
	docs: async () => (await import('./operation.mts')).docs,
	gate: async () => (await import('./release.mts')).gate,
	'release:check': async () => (await import('./release.mts')).releaseCheck,
	'release:build': async () => (await import('./release.mts')).releaseBuild,
	operation: async () => (await import('./operation.mts')).operation,
};

/** Runs a command. @param args the name of its script, and its own arguments @returns its exit code, 0 without one */
export async function main([script = '', ...args]: string[], endsWell: (onStop?: () => void) => void): Promise<number | void> {
	const load = COMMANDS[script];
	if (!load) throw new Error(`There is no command ${script}: ${Object.keys(COMMANDS).join(', ')}`);
	return await runCommand(await load(), args, endsWell);
}
