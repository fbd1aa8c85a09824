import type { Operation } from 'rfc6902';
import type { MissionFacts } from '../../../src/areas/validation/rule.ts';

/**
 * Changes to the example contract, and the pointers (`at`) at which the rule must then report a fault. If `mission` is absent, the
 * example's mission is used.
 */
interface RuleCase {
  readonly with: string;
  readonly changes: readonly Operation[];
  readonly mission?: Partial<MissionFacts>;
  readonly at: readonly string[];
}

/** Cases by the code of the rule. Each rule has a case that breaks it and a case that does not. */
export type RuleCases = Readonly<
  Record<string, { readonly severity: 'error' | 'warning'; readonly cases: readonly RuleCase[] }>
>;
