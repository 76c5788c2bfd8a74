import type { Sandbox } from '../../sandbox';

/**
 * Faults of the plan in force that fewer requests have got than the plan says: a test that meant them has shown less than
 * its title. Not tokenExpires, which the number of logins shows.
 */
export function faultsNotInjected(sandbox: Pick<Sandbox, 'faults'>): string[] {
	const { plan, counts } = sandbox.faults();
	const missed = plan.rules?.filter(
		(rule, index) => rule.fault !== 'tokenExpires' && counts[index]!.injected < (rule.count ?? 1),
	);
	return (missed ?? []).map(({ fault }) => fault);
}
