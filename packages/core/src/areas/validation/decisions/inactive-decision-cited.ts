import type { DecisionRule } from '../rule.ts';

export const inactiveDecisionCited: DecisionRule = {
  reads: 'decisions',
  code: 'INACTIVE_DECISION_CITED',
  severity: 'warning',
  explanation: 'No text may cite a SUPERSEDED, WITHDRAWN or REJECTED decision.',
  hint: 'Cite the decision that holds now, and check that the text still agrees with it.',

  *check(_decisionIds, decisions, cited) {
    for (const { id, pointer } of cited) {
      const status = decisions.statusOf(id);
      if (status === undefined || status === 'PROPOSED' || status === 'RESOLVED') continue;
      const replacement = decisions.replacementOf(id);
      const now = replacement === undefined ? '' : `; ${replacement} replaced it`;
      yield { pointer, message: `This text cites decision ${id}, which is ${status}${now}.` };
    }
  },
};
