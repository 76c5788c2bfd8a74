import { ensureBuilt } from '../setup/build.mjs';
import { ensureProject } from '../setup/project.mjs';
import { ensureRuntime } from '../setup/runtime.mjs';

/**
 * Everything that has to be there before anything is started; quick where it is.
 * @param {ReturnType<typeof import('../setup/runtime.mjs').chooseRuntime>} choice
 */
export async function prepare(choice) {
	await ensureProject();
	await ensureBuilt();
	return await ensureRuntime(choice);
}
