import { COST_INVARIANTS } from './invariants/costs';
import { FLOW_INVARIANTS } from './invariants/flow';
import { OUTCOME_INVARIANTS } from './invariants/outcomes';
import { TRIGGER_INVARIANTS } from './invariants/trigger';

/** Each says what is wrong with a history; undefined where it is not put to the test. */
export const INVARIANTS = { ...OUTCOME_INVARIANTS, ...FLOW_INVARIANTS, ...COST_INVARIANTS, ...TRIGGER_INVARIANTS };

export type InvariantName = keyof typeof INVARIANTS;
