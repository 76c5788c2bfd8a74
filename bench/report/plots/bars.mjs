import { versionsOf } from './rows.mjs';

/** One below the other, a panel for each version of n8n. @param {{ version: string }[]} rows */
export const stacked = (rows) => ({
	row: { field: 'version', title: null, sort: versionsOf(rows), header: { labelAngle: 0, labelAlign: 'left', labelOrient: 'top', labelAnchor: 'start' } },
});

/** A line for each peer, in the order of the rows. */
export const PEER_LINES = { field: 'peer', type: 'nominal', title: null, sort: null, axis: { domain: false, ticks: false, labelPadding: 8 } };
