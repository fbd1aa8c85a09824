import { z } from 'zod';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import type { NextItem } from '../due/next-item.ts';
import { WaitSeconds } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { PHASES } from '../session/events.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { nextFor } from './next.ts';
import { formerSeqs, withFormerTexts } from './rerun-items.ts';
import { listNext, NextItemView } from './schemas.ts';

const itemsFor = (state: SessionState, role: Role): NextItem[] => (isBuilder(role) ? nextFor(state, role) : []);

/** Spec 4.2. Answers at once if there is an item, or if the session has ended. */
export const verifyNext = defineOperation({
  name: 'verify_next',
  summary: 'List your next verification calls with payload.',
  rest: 'GET verify/next',
  access: { builder: 'verify_read' },
  input: z.strictObject({ wait: WaitSeconds.optional() }),
  output: z.strictObject({
    items: z.array(NextItemView),
    phase: z.enum(PHASES),
    status: z.enum(STATUSES),
    timed_out: z.boolean().optional(),
    ...LEFT_OUT,
  }),
  errors: [],

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, _input, { role }) => state.profile.status === 'ENDED' || itemsFor(state, role).length > 0,
  },

  reads: (state, _input, { role }) => (isBuilder(role) ? formerSeqs(state, role, itemsFor(state, role)) : []),

  reply(state, { wait }, { caller: { role }, timedOut, loaded }) {
    const own = itemsFor(state, role);
    const { items, leftOut } = listNext(isBuilder(role) ? withFormerTexts(state, role, own, loaded) : own, LIST_COST);
    return {
      items,
      phase: state.profile.phase,
      status: state.profile.status,
      ...(wait ? { timed_out: timedOut } : {}),
      ...leftOut,
    };
  },
});
