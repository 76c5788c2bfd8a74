import { describeOutcome } from '../n8n/outcome.mjs';

const WIDTH_WITHOUT_TERMINAL = 120;
const BORDERS = 16;

/**
 * Prints the rows of the tour.
 * @param {import('./tour.mjs').Row[]} rows
 */
export async function printTable(rows) {
	const { default: Table } = await import('cli-table3');
	const free = Math.max(process.stdout.columns ?? WIDTH_WITHOUT_TERMINAL, 80) - BORDERS;
	const operation = Math.floor(free * 0.22);
	const input = Math.floor(free * 0.3);
	const table = new Table({
		head: ['', 'Operation', 'Input', 'Outcome'],
		colWidths: [5, operation + 2, input + 2, free - operation - input + 2],
		wordWrap: true,
		wrapOnWordBoundary: true,
		style: { head: process.stdout.isTTY ? ['bold'] : [], border: [] },
	});
	for (const row of rows) table.push([row.asExpected ? '✓' : '✗', row.operation, row.input, outcomeCell(row)]);
	console.log(table.toString());
}

function outcomeCell({ outcome, asExpected, expected }) {
	const words = describeOutcome(outcome);
	return asExpected ? words : `${words}\nEXPECTED: ${expected}`;
}
