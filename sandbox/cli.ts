import { CliArgumentError, HELP, parseCliArguments } from './cli/arguments';
import { SandboxStartError, startSandbox } from './index';
import { banner } from './cli/banner';

/** Exit codes: 0 after Ctrl-C or --help, 1 if the sandbox cannot start, 2 if the command line has a mistake. */
async function main(): Promise<void> {
	const { help, verbose, options } = parseCliArguments(process.argv.slice(2));
	if (help) {
		process.stdout.write(HELP);
		return;
	}
	const showsRequests = verbose || process.stdout.isTTY;
	const sandbox = await startSandbox({ ...options, log: showsRequests ? (line) => console.log(line) : undefined });

	const stop = () => {
		console.log('\nThe sandbox has stopped.');
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	console.log(banner(sandbox.url));
}

main().catch((error: unknown) => {
	const isMistake = error instanceof CliArgumentError;
	process.exitCode = isMistake ? 2 : 1;
	if (isMistake) console.error(`${error.message}\nSee --help.`);
	else console.error(error instanceof SandboxStartError ? error.message : error);
});
