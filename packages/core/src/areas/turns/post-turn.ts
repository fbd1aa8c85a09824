import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { type EventOf, storedEvent } from '../catalog.ts';
import { Warnings } from '../credentials/schemas.ts';
import { At, BuilderRole, DecisionId, MessageCursor, QuestionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { hasTurnsLeft, speakerOf } from './rules.ts';
import { TurnInput } from './schemas.ts';
import { recordKey } from './state.ts';
import { turnDrafts } from './turn-drafts.ts';

/**
 * Spec 4.2. The answer is made only from the event of the turn, so that a repeated call with the same idempotency key
 * gets the same bytes.
 */
export const postTurn = defineOperation({
  name: 'post_turn',
  summary: 'Post your turn, when next_agent is you.',
  rest: 'POST turns',
  access: { builder: 'post_turn' },
  phases: ['PLANNING', 'CONTRACT'],
  input: TurnInput,
  output: z.strictObject({
    message_id: MessageCursor,
    at: At,
    turn_index: z.int(),
    round: z.int(),
    next_agent: BuilderRole.nullable(),
    question_ids: z.array(QuestionId),
    decision_ids: z.array(DecisionId),
    warnings: Warnings.optional().describe('Fields that contain what looks like a credential; see secret_policy.'),
  }),
  errors: [
    'NOT_YOUR_TURN',
    'ROUND_LIMIT_REACHED',
    'IDEMPOTENCY_CONFLICT',
    'UNKNOWN_RECORD',
    'ALREADY_ANSWERED',
    'OWN_PROPOSAL',
    'DECISION_CLOSED',
    'POSITION_CHANGED',
    'LIMIT_EXCEEDED',
  ],

  findIdempotencyRecord: ({ turns }, key, { role }) => lookUp(turns.receipts, recordKey(role, key)),

  decide(state, turn, caller, env) {
    refuseOutOfTurn(state, caller.role);
    return turnDrafts(state, turn, caller, env);
  },

  reply: (_state, _input, { events }) => viewPosted(storedEvent(events, 'turn.posted')),
});

const NO_TURN_NEEDED =
  'The phase CONTRACT needs no turn: ask or tell the other agent with answer_question, which uses no turn.';

function refuseOutOfTurn(state: SessionState, role: string): void {
  const turn_index = state.turns.count;
  const { round_limit } = state.profile;
  if (!hasTurnsLeft(state))
    fail('ROUND_LIMIT_REACHED', `No turn is left: ${round_limit} of ${round_limit} rounds are used.`, {
      round_limit,
      turn_index,
    });
  const next_agent = speakerOf(state, turn_index);
  if (next_agent !== role)
    fail('NOT_YOUR_TURN', `Turn ${turn_index} belongs to ${next_agent}, not to you.`, {
      next_agent,
      turn_index,
      ...(state.profile.phase === 'CONTRACT' ? { hint: NO_TURN_NEEDED } : {}),
    });
}

function viewPosted({ seq, at, data }: EventOf<'turn.posted'>) {
  const { turn_index, round, next_agent, questions = [], proposed_decisions = [], warnings } = data;
  const question_ids = questions.map(({ question_id }) => question_id);
  const decision_ids = proposed_decisions.map(({ decision_id }) => decision_id);
  return { message_id: seq, at, turn_index, round, next_agent, question_ids, decision_ids, warnings };
}
