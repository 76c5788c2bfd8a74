/** The versions of n8n in the order in which they came out, for a panel each. @param {{ version: string }[]} rows */
export const versionsOf = (rows) => [...new Set(rows.map(({ version }) => version))];

/**
 * Rows for a plot: one for each version of n8n, scenario and entry that was measured.
 * @param {import('../../results.mjs').Results[]} all
 * @param {string[]} scenarios their ids
 * @param {(result: import('../../results.mjs').ScenarioResult, entry: import('../../conditions/entries.mjs').Entry) => object | undefined} read
 *   undefined for an entry that is not in the plot
 */
export function rowsOf(all, scenarios, read) {
	return all.flatMap(({ n8n, scenarios: measured }) =>
		scenarios.flatMap((id) => {
			const result = measured[id];
			if (!result) return [];
			const { scenario } = result;
			return scenario.entries.flatMap((entry) => {
				const row = read(result, entry);
				return row ? [{ version: `n8n ${n8n}`, items: entry.items ?? scenario.items, latency: scenario.latency, ...row }] : [];
			});
		}),
	);
}
