import { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { DecisionId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { decisionOf, isActive } from './rules.ts';
import { decisionSeqs, ListedDecision, viewListedDecision, viewWholeDecision } from './schemas.ts';

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
