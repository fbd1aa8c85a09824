import { z } from 'zod';
import type { ParleyError } from '../../kernel/errors.ts';
import { type BoundedLists, boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { ListedSession } from '../../kernel/storage/storage.ts';
import { At, Party } from '../fields.ts';
import { PHASES } from '../session/events.ts';
import { moversOf } from '../session/movers.ts';
import { OwnerWaitView } from '../session/owner-wait.ts';
import { brokenLogWait, ownerWaits } from '../session/owner-waits.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';

/** Reason for which a session cannot be read. */
const GlanceFault = z.strictObject({
  code: z.enum(['LOG_BROKEN', 'NEWER_RELEASE']),
  text: z.string(),
});

/** Summary of one session. */
export const SessionGlance = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  created_at: At,
  updated_at: At.describe('Time of the last event.'),
  events: z.int(),
  movers: z.array(Party).describe('The roles that have a next step.'),
  waits: z.array(OwnerWaitView).describe('What waits for you, in the order in which you should act.'),
  fault: GlanceFault.optional().describe('Why the session cannot be read; only on such sessions.'),
  ...LEFT_OUT,
});
documented.add(SessionGlance, { id: 'SessionGlance' });

/** Summary of a session that cannot be folded, from the stored list entry. */
export function viewUnreadable(listed: ListedSession, error: ParleyError): z.output<typeof SessionGlance> {
  const { sessionId, title, status, phase, createdAt, seq } = listed;
  const isBroken = error.code === 'LOG_BROKEN';
  return {
    session_id: sessionId,
    title,
    status: STATUSES.find((known) => known === status) ?? 'PAUSED',
    phase: PHASES.find((known) => known === phase) ?? 'PLANNING',
    created_at: createdAt,
    updated_at: createdAt,
    events: seq,
    movers: [],
    waits: isBroken ? [brokenLogWait(sessionId, error.message)] : [],
    fault: { code: isBroken ? 'LOG_BROKEN' : 'NEWER_RELEASE', text: error.message },
  };
}

/** Maximum cost of the waits of one session; a page shows up to a hundred sessions. */
const WAITS_COST = 16_000;

/** The owner's waits as a list of an answer. */
export const listWaits = (lists: BoundedLists, state: SessionState) =>
  lists.list({
    records: ownerWaits(state),
    view: (wait) => wait,
    isCurrent: ({ blocking }) => blocking,
    how: () => 'Settle the listed ones first; the others then appear here.',
  });

export function viewGlance(state: SessionState): z.output<typeof SessionGlance> {
  const lists = boundedLists(WAITS_COST);
  const waits = listWaits(lists, state);
  return {
    session_id: state.sessionId,
    title: state.profile.title,
    status: state.profile.status,
    phase: state.profile.phase,
    created_at: state.profile.createdAt,
    updated_at: state.at,
    events: state.head.seq,
    movers: moversOf(state),
    waits: waits(),
    ...lists.leftOut(),
  };
}
