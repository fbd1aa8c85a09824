import type { DecisionRule } from '../rule.ts';

export const unknownDecision: DecisionRule = {
  reads: 'decisions',
  code: 'UNKNOWN_DECISION',
  severity: 'error',
  explanation: 'Each decision that the contract names must exist in the session.',
  hint: 'Use the decision_ids of list_decisions.',

  *check(decisionIds, decisions) {
    for (const [at, id] of decisionIds.entries())
      if (decisions.statusOf(id) === undefined)
        yield { pointer: `/decisions/${at}`, message: `There is no decision ${id} in this session.` };
  },
};
