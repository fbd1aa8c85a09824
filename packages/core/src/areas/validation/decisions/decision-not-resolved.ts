import type { DecisionRule } from '../rule.ts';

export const decisionNotResolved: DecisionRule = {
  reads: 'decisions',
  code: 'DECISION_NOT_RESOLVED',
  severity: 'error',
  explanation: 'Each decision named in the contract must be RESOLVED: accepted by both builders.',
  hint: 'Let both builders accept the decision. If it was superseded, name the decision that superseded it. Or remove its id.',

  *check(decisionIds, decisions) {
    for (const [at, id] of decisionIds.entries()) {
      const status = decisions.statusOf(id);
      if (status !== undefined && status !== 'RESOLVED')
        yield { pointer: `/decisions/${at}`, message: `Decision ${id} is ${status}.` };
    }
  },
};
