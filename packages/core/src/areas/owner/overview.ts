import { z } from 'zod';
import type { ParleyError } from '../../kernel/errors.ts';
import type { Presence } from '../../kernel/last-calls.ts';
import { type BoundedLists, boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import type { ListedSession } from '../../kernel/storage/listing.ts';
import { firstWords } from '../../kernel/text/first-words.ts';
import { AgentPresence } from '../access/rules.ts';
import { At, Party } from '../fields.ts';
import { PHASES } from '../session/events.ts';
import { agentSince, lastActivityAt, moverSince, moversOf } from '../session/movers.ts';
import { brokenLogWait, DutyView, ownerWaits, viewDuties } from '../session/owner-waits/owner-waits.ts';
import { type OwnerWait, OwnerWaitView } from '../session/owner-waits/waits.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { standingDefects } from '../verify/scenarios.ts';
import { viewDuePresence } from './view-access.ts';

const GlanceFault = z.strictObject({
  code: z.enum(['LOG_BROKEN', 'NEWER_RELEASE']),
  text: z.string(),
});

export const SessionGlance = namedObject('SessionGlance', {
  session_id: z.string(),
  title: z.string(),
  group: z.string().optional().describe('The group of the session; absent if it is in none, or cannot be read.'),
  status: z.enum(STATUSES),
  phase: z.enum(PHASES),
  created_at: At,
  updated_at: At.describe('Time of the last event other than pausing and resuming.'),
  events: z.int(),
  movers: z.array(Party).describe('The roles that must act next.'),
  duties: z
    .array(DutyView)
    .optional()
    .describe(
      'What each agent in movers has to do, in at most 200 characters, and since when. Absent if the session cannot be read.',
    ),
  since: At.nullable().describe('Since when the first role in movers can act; null if movers is empty.'),
  agents: z.array(AgentPresence).describe('Both builders, and the moderator once you invited it.'),
  waits: z.array(OwnerWaitView).describe('Tasks that wait for you, the most urgent first.'),
  open_defects: z.int().describe('Defects that are OPEN, or FIXED but not verified again.'),
  stopped: z
    .strictObject({ pause_id: z.string(), at: At })
    .optional()
    .describe(
      'pause_id of the call of pauseAll that paused the session, for resumeAll. Absent if no such call paused it.',
    ),
  fault: GlanceFault.optional().describe('Why the session cannot be read; absent if it can.'),
  ...LEFT_OUT,
});

/** Shows a session whose log cannot be folded, with the facts that the list of sessions contains. */
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
    since: null,
    agents: [],
    open_defects: 0,
    waits: isBroken ? [brokenLogWait(sessionId, error.message, createdAt)] : [],
    fault: { code: isBroken ? 'LOG_BROKEN' : 'NEWER_RELEASE', text: error.message },
  };
}

/**
 * Maximum size of the waiting tasks of one session, in bytes as `costOf` counts them. It is small, because a page shows
 * up to a hundred sessions.
 */
const WAITS_COST = 16_000;

/** Maximum number of characters of a text of an agent, and of a duty. */
const TEXT_CHARS = 200;

export const listWaits = (lists: BoundedLists, waits: readonly OwnerWait[]) =>
  lists.list({
    records: waits,
    view: (wait) => wait,
    isCurrent: ({ blocking }) => blocking,
    how: () => 'First do what the listed records ask; then the other records appear here.',
  });

/**
 * Shows a session in the overview.
 * @param isWhole whether the tasks contain the texts of agents in full, or only the first characters of each text
 */
export function viewGlance(state: SessionState, presence: Presence, isWhole = false): z.output<typeof SessionGlance> {
  const lists = boundedLists(WAITS_COST);
  const all = ownerWaits(state, presence);
  const shown = isWhole ? all : all.map((wait) => ({ ...wait, said: wait.said && firstWords(wait.said, TEXT_CHARS) }));
  const waits = listWaits(lists, shown);
  const movers = moversOf(state, presence);
  // A session that was ended during a pause still has `pauseId` in its state.
  const pauseId = state.profile.status === 'PAUSED' ? state.profile.pause_id : null;
  return {
    session_id: state.sessionId,
    title: state.profile.title,
    ...(state.profile.group !== undefined && { group: state.profile.group }),
    status: state.profile.status,
    phase: state.profile.phase,
    created_at: state.profile.created_at,
    updated_at: lastActivityAt(state),
    events: state.head.seq,
    movers,
    duties: viewDuties(state, movers).map(({ role, text }) => {
      const since = agentSince(state, role);
      return { role, text: firstWords(text, TEXT_CHARS), ...(since !== null && { since }) };
    }),
    since: moverSince(state, movers, all),
    agents: viewDuePresence(state, presence, movers),
    waits: waits(),
    open_defects: standingDefects(state).length,
    ...(pauseId !== null && { stopped: { pause_id: pauseId, at: state.times.statusAt } }),
    ...lists.leftOut(),
  };
}
