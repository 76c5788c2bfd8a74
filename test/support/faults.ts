import type { Sandbox } from '../../sandbox';

/**
 * Current faults that fewer requests have got than their rule says: a test that meant them has shown less than its title.
 * Not tokenExpires, which the number of logins shows.
 */
export function faultsNotInjected(sandbox: Pick<Sandbox, 'getFaults'>): string[] {
	const { rules, counts } = sandbox.getFaults();
	return rules
		.filter((rule, index) => rule.fault !== 'tokenExpires' && counts[index]!.injectionCount < (rule.count ?? 1))
		.map(({ fault }) => fault);
}
