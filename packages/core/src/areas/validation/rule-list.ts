import { DECISION_REPEATED } from './repeated-decision.ts';
import type { RuleFacts } from './rule.ts';
import { RULES } from './rules.ts';
import { SCHEMA_RULE } from './schema-issues.ts';
import { UNCHANGED_CONTENT } from './unchanged-content.ts';

/** All rules, in the order in which answers list their issues. */
export const RULE_LIST: readonly RuleFacts[] = [SCHEMA_RULE, ...RULES, UNCHANGED_CONTENT, DECISION_REPEATED].map(
  ({ code, severity, explanation, hint }) => ({
    code,
    severity,
    explanation,
    hint,
  }),
);
