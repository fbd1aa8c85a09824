import type { Rule } from './rule.ts';

/** Rules that read where the decisions stand. Their result is computed at each read. */
export const DECISION_RULES: readonly Rule[] = [
  {
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
  },
  {
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
  },
  {
    reads: 'decisions',
    code: 'RESOLVED_DECISION_OMITTED',
    severity: 'error',
    explanation: 'The member decisions must name each RESOLVED decision.',
    hint: 'Add the decision_id to the member decisions, and make the contract follow the position of the decision.',

    *check(decisionIds, { resolved }) {
      const named = new Set(decisionIds);
      for (const id of resolved)
        if (!named.has(id))
          yield {
            pointer: '/decisions',
            message: `Decision ${id} is RESOLVED, but missing from the member decisions.`,
          };
    },
  },
  {
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
  },
];
