// The entry point of every command in package.json: `node scripts/run.mjs start`. Uses no syntax or built-in newer than ES
// modules, so that an old Node prints the message below and not a SyntaxError.
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
if (['linux', 'darwin'].indexOf(process.platform) === -1) {
	console.error(
		'This project runs on Linux, on macOS, and on Windows in WSL (https://learn.microsoft.com/windows/wsl/install): ' +
			'clone it and run the command there.',
	);
	process.exitCode = 1;
} else if (major > 20 || (major === 20 && Number(parts[1]) >= 19)) {
	import('./bootstrap/main.mjs');
} else {
	console.error(
		'This project needs Node 20.19 or newer, and this is Node ' +
			process.versions.node +
			'. Install a newer Node (an even-numbered version such as 22 or 24), then run the command again.',
	);
	process.exitCode = 1;
}
