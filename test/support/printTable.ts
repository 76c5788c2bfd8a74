import Table from 'cli-table3';

/** Prints measured figures, one row each, under a title. */
export function printTable(title: string, rows: Array<Record<string, string | number>>): void {
	if (rows.length === 0) return;
	const table = new Table({ head: Object.keys(rows[0]!), style: { head: [], border: [] } });
	table.push(...rows.map((row) => Object.values(row)));
	process.stderr.write(`\n${title}\n${table.toString()}\n`);
}
