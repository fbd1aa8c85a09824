import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { EvidenceItem } from '../evidence.ts';
import { MessageCursor } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';

/** Spec 4.2. Adds evidence to the caller's latest turn, even while the other builder has the turn. */
export const postEvidence = defineOperation({
  name: 'post_evidence',
  summary: 'Append evidence to your latest turn.',
  rest: 'POST evidence',
  access: { builder: 'post_evidence' },
  phases: ['PLANNING', 'CONTRACT'],
  input: z.strictObject({ evidence: z.array(EvidenceItem).min(1).max(50) }),
  output: z.strictObject({ message_id: MessageCursor, turn_index: z.int(), count: z.int() }),
  errors: ['NO_TURN_YET'],

  decide(state, { evidence }, { role }) {
    return [{ kind: 'evidence.posted', data: { turn_index: lastTurnOf(state, role), evidence } }];
  },

  reply: (state, { evidence }, { caller, events }) => ({
    message_id: events[0]?.seq ?? 0,
    turn_index: lastTurnOf(state, caller.role),
    count: evidence.length,
  }),
});

function lastTurnOf({ turns }: SessionState, role: Role): number {
  const last = isBuilder(role) ? turns.lastOf[role] : undefined;
  return last
    ? last.turn_index
    : fail('NO_TURN_YET', 'You have not posted a turn yet, so there is no turn to which the evidence could be added.');
}
