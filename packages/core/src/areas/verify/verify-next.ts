import { z } from 'zod';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { WaitSeconds } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { openQuestionsFrom } from '../questions/rules.ts';
import { PHASES } from '../session/events.ts';
import { instructionFor } from '../session/instruction.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { Instruction, NextItemView, type Task } from '../task.ts';
import { callsDue } from '../tasks/due.ts';
import { formerSeqs, withFormerTexts } from '../tasks/former-evidence.ts';
import { listNext } from './schemas.ts';

const itemsFor = (state: SessionState, role: Role): readonly Task[] => (isBuilder(role) ? callsDue(state, role) : []);

const unansweredOf = ({ questions }: SessionState, role: Role): readonly string[] =>
  openQuestionsFrom(questions, role).map(({ question_id }) => question_id);

/** Whether a question that was open when the call arrived has been answered since. */
function isAnswered(state: SessionState, role: Role, stateAtArrival: SessionState): boolean {
  const open = new Set(unansweredOf(state, role));
  return unansweredOf(stateAtArrival, role).some((id) => !open.has(id));
}

const ANSWERED = {
  tool: 'read_messages',
  route: 'GET messages',
  text: 'A question of yours was answered: read_messages has the answer.',
};

/**
 * Spec 4.2. Lists the next calls of the builder, and waits while there is none. The wait also ends when a question of
 * the caller is answered or the session ends.
 */
export const verifyNext = defineOperation({
  name: 'verify_next',
  summary: 'List the calls due from you, with payloads.',
  rest: 'GET verify/next',
  access: { builder: 'verify_read' },
  input: z.strictObject({ wait: WaitSeconds.optional() }),
  output: z.strictObject({
    items: z.array(NextItemView),
    instruction: Instruction.optional().describe('What to do while items is empty.'),
    phase: z.enum(PHASES),
    status: z.enum(STATUSES),
    timed_out: z.boolean().optional(),
    ...LEFT_OUT,
  }),
  errors: [],

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, _input, { role }, stateAtArrival) =>
      state.profile.status === 'ENDED' || itemsFor(state, role).length > 0 || isAnswered(state, role, stateAtArrival),
  },

  reads: (state, _input, { role }) => (isBuilder(role) ? formerSeqs(state, role, itemsFor(state, role)) : []),

  reply(state, { wait }, { caller: { role }, timedOut, loaded }) {
    const own = itemsFor(state, role);
    const isNews = wait !== undefined && wait > 0 && !timedOut && state.profile.status !== 'ENDED';
    const { items, leftOut } = listNext(isBuilder(role) ? withFormerTexts(state, role, own, loaded) : own, LIST_COST);
    return {
      items,
      ...(own.length === 0 ? { instruction: isNews ? ANSWERED : instructionFor(state, role) } : {}),
      phase: state.profile.phase,
      status: state.profile.status,
      ...(wait ? { timed_out: timedOut } : {}),
      ...leftOut,
    };
  },
});
