import { PEERS } from './peers/index.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { warmCredential } from './track/credentials.mjs';

/**
 * One run of one entry.
 * @typedef {object} Run
 * @property {string} scenarioId
 * @property {import('./scenarios.mjs').Scenario} scenario
 * @property {import('./conditions/entries.mjs').Entry} entry
 * @property {number} round from 1
 * @property {string} workflow its id in n8n; a cold run has one of its own, with a credential that nobody has used
 * @property {string} [credential] its id in n8n; none for a peer without one
 */

/**
 * A look at everything in a few minutes: one round, a tenth of the items; of those behind a limit a third, as it
 * lets the first hundred pass; of executions as well.
 */
const QUICK = { rounds: 1, share: 0.1, shareBehindLimit: 0.3, fewest: 20 };

/**
 * All rounds of the chosen scenarios, in the order in which they are run.
 * @param {{ only: string[], rounds: number, quick: boolean }} options
 * @returns {{ id: string, scenario: import('./scenarios.mjs').Scenario, rounds: Run[][] }[]}
 */
export function plan({ only, rounds, quick }) {
	const chosen = Object.entries(SCENARIOS).filter(([id, { onRequest }]) => (only.length > 0 ? only.includes(id) : !onRequest));
	return chosen.map(([id, full]) => {
		const scenario = quick ? smaller(full) : full;
		const numbers = Array.from({ length: quick ? QUICK.rounds : rounds }, (_, n) => n + 1);
		return { id, scenario, rounds: numbers.map((round) => scenario.entries.map((entry) => runOf(id, scenario, entry, round))) };
	});
}

function runOf(scenarioId, scenario, entry, round) {
	const { entries } = scenario;
	const base = { scenarioId, scenario, entry, round };
	if (!entry.peer) return base;
	const lane = `${scenarioId}-${entries.indexOf(entry)}`;
	const own = `${lane}-${round}`;
	if (scenario.credential === 'cold') return { ...base, workflow: own, credential: own };
	const { credentialType } = PEERS[entry.peer];
	return { ...base, workflow: lane, ...(credentialType && { credential: warmCredential(credentialType) }) };
}

function smaller(scenario) {
	const share = scenario.perSecond ? QUICK.shareBehindLimit : QUICK.share;
	const fewer = (count) => Math.min(count, Math.max(QUICK.fewest, Math.round(count * share)));
	return {
		...scenario,
		...(scenario.items && { items: fewer(scenario.items) }),
		entries: scenario.entries.map((entry) => ({
			...entry,
			...(entry.items && { items: fewer(entry.items) }),
			...(entry.executions && { executions: fewer(entry.executions) }),
			...(entry.countriesOfOneItem && { countriesOfOneItem: fewer(entry.countriesOfOneItem) }),
		})),
	};
}
