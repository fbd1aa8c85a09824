import type { Operation } from 'rfc6902';

/**
 * Changes to the example contract, and the pointers (`at`) at which the rule then reports a fault. `mission` is the example's
 * mission by default.
 */
interface RuleCase {
  readonly with: string;
  readonly changes: readonly Operation[];
  readonly mission?: { readonly requirementIds?: readonly string[]; readonly fixtureVersion?: string };
  readonly at: readonly string[];
}

/** Cases by rule code. Each rule has at least one case with pointers and one without. */
export type RuleCases = Readonly<
  Record<string, { readonly severity: 'error' | 'warning'; readonly cases: readonly RuleCase[] }>
>;
