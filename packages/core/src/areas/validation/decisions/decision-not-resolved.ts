import type { DecisionRule } from '../rule.ts';

export const decisionNotResolved: DecisionRule = {
  reads: 'decisions',
  code: 'DECISION_NOT_RESOLVED',
  severity: 'error',
  explanation: 'Every decision named in the contract is RESOLVED: both builders have accepted it.',
  hint: 'Let both builders accept the decision. If it was superseded, name the decision that superseded it. Or remove its id.',

  *check(decisionIds, decisions) {
    for (const [at, id] of decisionIds.entries()) {
      const status = decisions.statusOf(id);
      if (status !== undefined && status !== 'RESOLVED')
        yield { pointer: `/decisions/${at}`, message: `Decision ${id} is ${status}.` };
    }
  },
};
