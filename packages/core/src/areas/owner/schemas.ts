import { z } from 'zod';
import { PHASES, STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';

/** What an owner's step leaves behind. */
export const Standing = z.strictObject({
  session_id: z.string(),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  round_limit: z.int(),
});

export const viewStanding = ({ sessionId, profile }: SessionState): z.output<typeof Standing> => ({
  session_id: sessionId,
  status: profile.status,
  phase: profile.phase,
  round_limit: profile.roundLimit,
});
