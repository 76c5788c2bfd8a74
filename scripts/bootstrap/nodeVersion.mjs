// This file and run.mjs run on whatever Node is at hand, however old: no syntax or built-in newer than ES modules
// themselves, so that an old Node answers with a sentence and not a SyntaxError.

var MINIMUM_NODE = '20.19';

/**
 * Says in a sentence why a Node version can't run this project, or returns undefined when it can.
 * @param {string} version such as `20.19.0` or `v18.20.4`
 */
export function nodeProblem(version) {
	var parts = String(version).replace(/^v/, '').split('.');
	var major = Number(parts[0]);
	var minor = Number(parts[1]);
	if (major > 20 || (major === 20 && minor >= 19)) return undefined;
	return (
		'This project needs Node ' + MINIMUM_NODE + ' or newer, and this is Node ' + parts.join('.') +
		'. Install a newer Node (an even-numbered version such as 22 or 24), then run the command again.'
	);
}

/** Ends the process with a sentence when the running Node is too old for everything that follows. */
export function refuseOldNode() {
	var problem = nodeProblem(process.versions.node);
	if (problem) {
		console.error(problem);
		process.exit(1);
	}
}
