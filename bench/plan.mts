import { type ContenderId, CONTENDERS } from './contenders.mts';
import { type Scenario, SCENARIOS, type Variant } from './scenarios.mts';

/** One run of one variant. workflow, credential: their ids in n8n; a cold run has a credential that nobody has used */
export interface Run {
	scenario: Scenario;
	variant: Variant;
	workflow: string;
	credential?: string;
}

export type PlannedScenario = { id: string; scenario: Scenario; rounds: Run[][] };

/** All rounds of the chosen scenarios, in the order in which they are run. */
export function plan({ only, rounds, quick }: { only: string[]; rounds: number; quick: boolean }): PlannedScenario[] {
	const chosen = Object.entries(SCENARIOS).filter(([id, { onRequest }]) => (only.length > 0 ? only.includes(id) : !onRequest));
	return chosen.map(([id, full]) => {
		const scenario = quick ? smaller(full) : full;
		const runsOf = (round: number) => scenario.variants.map((variant, index) => planRun(`${id}-${index + 1}`, round, scenario, variant));
		return { id, scenario, rounds: Array.from({ length: quick ? 1 : rounds }, (_, index) => runsOf(index + 1)) };
	});
}

/** @param id of its workflow and credential: of 36 characters at most, n8n's own limit in a PostgreSQL */
function planRun(id: string, round: number, scenario: Scenario, variant: Variant): Run {
	const { credentialType } = CONTENDERS[variant.contender];
	const isCold = scenario.credential === 'cold';
	const workflow = isCold ? `${id}-${round}` : id;
	return { scenario, variant, workflow, credential: credentialType && (isCold ? workflow : `warm-${credentialType}`) };
}

/** A run before the others: a token is stored in the plain node's credential then, and a server is slower at its first execution. */
export function warmUp(contender: ContenderId, server?: Scenario['server']): Run {
	const scenario: Scenario = { title: '', operation: 'get', items: 1, latency: 0, credential: 'warm', server, variants: [] };
	return planRun(`warm-up-${contender}`, 1, scenario, { id: contender, name: contender, contender });
}

/** For a look: a tenth of everything, of 20 at least; behind a limit a third, as it lets the first hundred pass. */
function smaller(scenario: Scenario): Scenario {
	const share = scenario.perSecond ? 0.3 : 0.1;
	const fewer = (count: number) => Math.min(count, Math.max(20, Math.round(count * share)));
	const variants = scenario.variants.map((variant) => ({
		...variant,
		items: variant.items && fewer(variant.items),
		executions: variant.executions && fewer(variant.executions),
		countriesOfOneItem: variant.countriesOfOneItem && fewer(variant.countriesOfOneItem),
	}));
	return { ...scenario, items: fewer(scenario.items), variants };
}
