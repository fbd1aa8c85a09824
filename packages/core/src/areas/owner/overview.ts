import { z } from 'zod';
import { AGENTS } from '../../kernel/roles.ts';
import { At } from '../fields.ts';
import { moversOf } from '../session/movers.ts';
import { OwnerWaitView, ownerWaits } from '../session/owner-waits.ts';
import { PHASES, STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';

/** One session at a glance. */
export const SessionGlance = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  created_at: At,
  updated_at: At.describe('Time of the last event.'),
  events: z.int(),
  movers: z.array(z.enum([...AGENTS, 'owner'])).describe('Whose move it is.'),
  waits: z.array(OwnerWaitView).describe('What waits for you, what goes first first.'),
});

export const viewGlance = (state: SessionState): z.output<typeof SessionGlance> => ({
  session_id: state.sessionId,
  title: state.profile.title,
  status: state.profile.status,
  phase: state.profile.phase,
  created_at: state.profile.createdAt,
  updated_at: state.at,
  events: state.head.seq,
  movers: moversOf(state),
  waits: ownerWaits(state),
});
