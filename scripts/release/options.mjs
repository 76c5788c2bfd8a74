import { parseArgs } from 'node:util';
import { Failure } from '../setup/failure.mjs';

/**
 * Reads the command line of a script.
 * @template {Record<string, { type: 'string' | 'boolean' }>} Flags
 * @param {string[]} args
 * @param {Flags} flags beside --help
 * @param {string} script its name in package.json
 */
export function readOptions(args, flags, script) {
	try {
		return parseArgs({ args, options: { ...flags, help: { type: 'boolean', short: 'h' } } }).values;
	} catch (error) {
		throw new Failure(`${error.message.split('. ')[0]}. npm run ${script} -- --help lists what there is.`);
	}
}
