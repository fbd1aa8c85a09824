import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { DecisionId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import {
  acceptanceDrafts,
  activeDecision,
  DecisionReasonInput,
  DecisionResult,
  decisionOf,
  decisionSeqs,
  ListedDecision,
  recordProposal,
  rejectionDraft,
  viewDecisionChange,
  viewListedDecision,
  viewWholeDecision,
  wasReadBy,
} from './decisions.ts';
import { Proposal } from './fields.ts';
import { isActive, latestOn } from './state.ts';

/**
 * Spec 3. Both builders must accept a decision, also the builder that proposed it. The second acceptance resolves the
 * decision.
 */
export const acceptDecision = defineOperation({
  name: 'accept_decision',
  summary: 'Accept a decision; both agents must accept it.',
  rest: 'POST decisions/accept',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: z.strictObject({
    decision_id: DecisionId,
    others: z.array(DecisionId).max(50).optional().describe('Further decisions; all are accepted, or none.'),
  }),
  output: DecisionResult,
  errors: ['UNKNOWN_RECORD', 'DECISION_CLOSED'],

  decide: ({ decisions }, { decision_id, others = [] }, { role: by }) =>
    [...new Set([decision_id, ...others])].flatMap((id) =>
      acceptanceDrafts(activeDecision(decisions, id), { by, inTurn: false }),
    ),

  reply: ({ decisions }, { decision_id }) => viewDecisionChange(decisionOf(decisions, decision_id)),
});

/** Spec 4.2, 4.3. If the answer cannot contain all decisions, the active decisions come first. */
export const listDecisions = defineOperation({
  name: 'list_decisions',
  summary: 'List the decisions, or one in full by decision_id.',
  rest: 'GET decisions',
  access: { builder: 'read_session_state', moderator: true },
  input: z.strictObject({ decision_id: DecisionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ decisions: z.array(ListedDecision), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reads({ decisions }, { decision_id = '' }) {
    const decision = lookUp(decisions.all, decision_id);
    return decision ? decisionSeqs(decision) : [];
  },

  reply({ decisions }, { decision_id, after }, { loaded }) {
    if (decision_id !== undefined)
      return { decisions: [viewWholeDecision(decisionOf(decisions, decision_id), loaded)] };
    const { shown, leftOut } = listed({
      records: valuesOf(decisions.all),
      view: viewListedDecision,
      isCurrent: isActive,
      idOf: ({ decision_id }) => decision_id,
      tool: 'list_decisions',
      after,
    });
    return { decisions: shown, ...leftOut };
  },
});

/** Spec 3. A builder can also reject a resolved decision that it has accepted, until the contract is approved. */
export const rejectDecision = defineOperation({
  name: 'reject_decision',
  summary: 'Reject a decision of the other agent.',
  rest: 'POST decisions/reject',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: DecisionReasonInput,
  output: DecisionResult,
  errors: ['UNKNOWN_RECORD', 'OWN_PROPOSAL', 'DECISION_CLOSED'],

  decide: ({ decisions }, input, { role: by }) => [rejectionDraft(decisions, input, { by, inTurn: false })],

  reply: ({ decisions }, { decision_id }) => viewDecisionChange(decisionOf(decisions, decision_id)),
});

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

/** Spec 3. Only the proposer can withdraw a decision. A decision that is already RESOLVED can be withdrawn too. */
export const withdrawDecision = defineOperation({
  name: 'withdraw_decision',
  summary: 'Withdraw your own decision.',
  rest: 'POST decisions/withdraw',
  access: { builder: 'submit_position' },
  phases: ['PLANNING', 'CONTRACT'],
  input: DecisionReasonInput,
  output: DecisionResult,
  errors: ['UNKNOWN_RECORD', 'NOT_PROPOSER', 'DECISION_CLOSED'],

  decide({ decisions }, { decision_id, reason }, { role }) {
    const { proposed_by } = decisionOf(decisions, decision_id);
    if (proposed_by !== role) fail('NOT_PROPOSER', 'Only the agent that proposed a decision can withdraw it.');
    activeDecision(decisions, decision_id);
    return [{ kind: 'decision.withdrawn', data: { decision_id, reason } }];
  },

  reply: ({ decisions }, { decision_id }) => viewDecisionChange(decisionOf(decisions, decision_id)),
});
