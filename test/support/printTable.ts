import Table from 'cli-table3';

/** Prints measured figures, one row each, under a title. */
export function printTable(title: string, figures: Record<string, number>): void {
	const table = new Table({ head: ['What came of it', 'number'], style: { head: [], border: [] } });
	table.push(...Object.entries(figures));
	process.stderr.write(`\n${title}\n${table.toString()}\n`);
}
