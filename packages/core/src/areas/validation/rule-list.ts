import type { RuleFacts } from './rule.ts';
import { RULES } from './rules.ts';
import { SCHEMA_RULE } from './schema-issues.ts';
import { UNCHANGED_CONTENT } from './unchanged-content.ts';

/** All rules, in the order in which issues are listed. */
export const RULE_LIST: readonly RuleFacts[] = [SCHEMA_RULE, ...RULES, UNCHANGED_CONTENT].map(
  ({ code, severity, explanation, hint }) => ({
    code,
    severity,
    explanation,
    hint,
  }),
);
