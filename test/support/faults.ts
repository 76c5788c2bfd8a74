import type { Sandbox } from '../../sandbox';

/**
 * Faults of the plan in force that no request has got: a test that meant them has shown nothing. Not tokenExpires, which
 * the number of logins shows.
 */
export function faultsNotInjected(sandbox: Pick<Sandbox, 'faults'>): string[] {
	const { plan, counts } = sandbox.faults();
	return (plan.rules ?? []).filter(({ fault }, index) => fault !== 'tokenExpires' && counts[index]?.injected === 0).map(({ fault }) => fault);
}
