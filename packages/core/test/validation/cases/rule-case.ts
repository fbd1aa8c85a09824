import type { Operation } from 'rfc6902';

/**
 * Changes to the example contract, and the pointers (`at`) at which the rule must then report a fault. `mission` defaults to
 * the example's mission.
 */
interface RuleCase {
  readonly with: string;
  readonly changes: readonly Operation[];
  readonly mission?: { readonly requirementIds?: readonly string[]; readonly fixtureVersion?: string };
  readonly at: readonly string[];
}

/** Cases by code of the rule. Each rule has at least one case that breaks it and one that does not. */
export type RuleCases = Readonly<
  Record<string, { readonly severity: 'error' | 'warning'; readonly cases: readonly RuleCase[] }>
>;
