import { fail } from '../../kernel/errors.ts';
import { defineOperation } from '../operation.ts';
import { latestOn, recordProposal } from './rules.ts';
import { DecisionResult, Proposal, viewDecisionChange } from './schemas.ts';
import { wasReadBy } from './was-read.ts';

/**
 * Spec 3. Another position on a topic creates a new decision, which supersedes the active one. Acceptances of the
 * superseded decision do not count for the new decision.
 */
export const submitDecision = defineOperation({
  name: 'submit_decision',
  summary: 'Propose a position on a topic; it replaces an earlier one.',
  rest: 'POST decisions',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: Proposal,
  output: DecisionResult,
  errors: ['POSITION_CHANGED', 'LIMIT_EXCEEDED'],

  decide(state, proposal, { role: by }, { limits, shownSeq }) {
    const wasRead = wasReadBy(state, { by, shownSeq, inTurn: false });
    return recordProposal(state.decisions, proposal, { by, inTurn: false, pending: 0, limits, wasRead }).drafts;
  },

  reply: ({ decisions }, { topic }) =>
    viewDecisionChange(
      latestOn(decisions, topic) ??
        fail('UNKNOWN_RECORD', 'The position was recorded, but the state has no decision on its topic.'),
    ),
});
