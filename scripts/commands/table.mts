import Table from 'cli-table3';

/** A table as text, without colors. */
export function plainTable(head: string[], rows: Array<Array<string | number>>): string {
	const table = new Table({ head, style: { head: [], border: [] } });
	table.push(...rows);
	return table.toString();
}
