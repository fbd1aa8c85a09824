import { ARTIFACT_RULES } from './artifact-rules.ts';
import { COVERAGE_RULES } from './coverage-rules.ts';
import { DATA_MODEL_RULES } from './data-model-rules.ts';
import { DECISION_RULES } from './decision-rules.ts';
import { ID_RULES } from './id-rules.ts';
import { INTERFACE_RULES } from './interface-rules.ts';
import { REFERENCE_RULES } from './reference-rules.ts';
import { DECISION_REPEATED } from './repeated-decision.ts';
import { ROLLOUT_RULES } from './rollout-rules.ts';
import type { Rule, RuleFacts } from './rule.ts';
import { SCHEMA_RULE } from './schema-issues.ts';
import { TASK_RULES } from './task-rules.ts';
import { TEST_RULES } from './test-rules.ts';
import { TEXT_RULES } from './text-rules.ts';
import { UNCHANGED_CONTENT } from './unchanged-content.ts';

/**
 * The rules that `validate.ts` checks once the contract meets its schema, in the order in which answers list their
 * issues.
 */
export const RULES: readonly Rule[] = [
  ...ID_RULES,
  ...REFERENCE_RULES,
  ...DECISION_RULES,
  ...COVERAGE_RULES,
  ...INTERFACE_RULES,
  ...DATA_MODEL_RULES,
  ...TASK_RULES,
  ...TEST_RULES,
  ...ROLLOUT_RULES,
  ...TEXT_RULES,
  ...ARTIFACT_RULES,
];

/** All rules, in the order in which answers list their issues. */
export const RULE_LIST: readonly RuleFacts[] = [SCHEMA_RULE, ...RULES, UNCHANGED_CONTENT, DECISION_REPEATED].map(
  ({ code, severity, explanation, hint }) => ({
    code,
    severity,
    explanation,
    hint,
  }),
);
