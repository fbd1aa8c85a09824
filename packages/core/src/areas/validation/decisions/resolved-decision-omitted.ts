import type { DecisionRule } from '../rule.ts';

export const resolvedDecisionOmitted: DecisionRule = {
  reads: 'decisions',
  code: 'RESOLVED_DECISION_OMITTED',
  severity: 'error',
  explanation: 'Every RESOLVED decision of the session is named in decisions.',
  hint: 'Add its decision_id to decisions, and make the contract follow its position.',

  *check(decisionIds, { resolved }) {
    const named = new Set(decisionIds);
    for (const id of resolved)
      if (!named.has(id))
        yield { pointer: '/decisions', message: `Decision ${id} is RESOLVED, but decisions does not name it.` };
  },
};
