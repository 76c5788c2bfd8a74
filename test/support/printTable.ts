import { Console } from 'node:console';

/** Prints measured figures, one row each, under a title. */
export function printTable(title: string, figures: Record<string, number>): void {
	// jest's own console would put the place in the code above it.
	process.stderr.write(`\n${title}\n`);
	new Console(process.stderr).table(figures);
}
