import { Failure } from './failure.mjs';
import { fromRoot } from './paths.mjs';
import { excerpt } from './run-logged.mjs';

const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b(?: [\w.:-]+)?/g;
const DISK_FULL = /\bENOSPC\b/;
const NOT_ALLOWED = /\b(EACCES|EPERM|EROFS)\b/;
const LOCK_DISAGREES = /code EUSAGE|ERR_PNPM_OUTDATED_LOCKFILE/;
const NATIVE_BUILD = /gyp ERR!|node-gyp|ELIFECYCLE/;

/**
 * The failure to reach the registry that an output tells of, if it does.
 * @param {string} output of npm or pnpm
 */
export function registryUnreachable(output) {
	const found = output.match(UNREACHABLE);
	if (!found) return undefined;
	// The code stands in several lines, in some of them with the address.
	const reason = found.reduce((longest, one) => (one.length > longest.length ? one : longest));
	return new Failure(
		`The npm registry could not be reached (${reason}). Check the network connection, the proxy settings and ` +
			'the answer of `npm config get registry`, then run the command again: it goes on where it stopped.',
	);
}

/**
 * Turns a failed install into a sentence.
 * @param {string} what such as `n8n 2.8.4`
 * @param {{ output: string, log: string }} result
 */
export function installFailure(what, { output, log }) {
	const details = `${excerpt(output)}\n(all of it: ${fromRoot(log)})`;
	if (DISK_FULL.test(output)) {
		return new Failure(`The disk is full: ${what} could not be installed. Make room, then run the command again.`, { details });
	}
	if (LOCK_DISAGREES.test(output)) {
		return new Failure(`The lock file for ${what} does not fit its package.json; the lines above say where. Install it again by hand and commit the new lock.`, { details });
	}
	const unreachable = registryUnreachable(output);
	// A native build first tries to download a prebuilt binary and goes on without it, so its errors of
	// connection are no reason; what it lacks are the tools.
	if (NATIVE_BUILD.test(output)) {
		return new Failure(
			`Parts of ${what} are compiled on this machine, and that failed. It needs python3, make and g++ ` +
				'(Debian and Ubuntu: apt-get install python3 make g++; macOS: xcode-select --install), then run the command again.',
			{ details },
		);
	}
	if (unreachable) return unreachable;
	if (NOT_ALLOWED.test(output)) {
		return new Failure(`A file in the folder of the clone could not be written while installing ${what}. Check who owns it.`, { details });
	}
	return new Failure(`${what} could not be installed; the lines above say why.`, { details });
}
