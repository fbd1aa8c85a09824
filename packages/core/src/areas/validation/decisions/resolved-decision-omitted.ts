import type { DecisionRule } from '../rule.ts';

export const resolvedDecisionOmitted: DecisionRule = {
  reads: 'decisions',
  code: 'RESOLVED_DECISION_OMITTED',
  severity: 'error',
  explanation: 'The member decisions must name each RESOLVED decision.',
  hint: 'Add the decision_id to the member decisions, and make the contract follow the position of the decision.',

  *check(decisionIds, { resolved }) {
    const named = new Set(decisionIds);
    for (const id of resolved)
      if (!named.has(id))
        yield { pointer: '/decisions', message: `Decision ${id} is RESOLVED, but missing from the member decisions.` };
  },
};
