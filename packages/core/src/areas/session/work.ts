import type { Role } from '../../kernel/roles.ts';
import { doableActionsOf } from '../actions/rules.ts';
import type { SessionState } from '../state.ts';
import { cursorOf, lastShown } from './cursors.ts';
import { instructionFor } from './instruction.ts';
import { isWaiting } from './step.ts';

/** Work for a role: an action, unacknowledged events, or the call that its instruction names. */
interface Work {
  readonly kind: 'ACTION' | 'EVENTS' | 'STEP';
  /** Message or event id. A caller whose cursor is at this id or beyond it has seen the work. */
  readonly since: number;
}

/**
 * All work of a role; the long-polls of state and feed use this function. STEP is the call that the instruction names; its
 * `since` is the last message that the role can read, own messages included, because each message can change the
 * instruction.
 */
function* workOf(state: SessionState, role: Role): Generator<Work> {
  const { feed } = state;
  for (const { since } of doableActionsOf(state, role)) yield { kind: 'ACTION', since };
  if (role === 'moderator' && feed.fromOthers > feed.ackedCursor) yield { kind: 'EVENTS', since: feed.fromOthers };
  if (!isWaiting(instructionFor(state, role))) yield { kind: 'STEP', since: lastShown(state, role) };
}

export interface Waiting {
  readonly role: Role;
  /** The caller's cursor. If absent, all work ends the wait, and so does a message of others after `stateAtArrival`. */
  readonly after: number | undefined;
  readonly stateAtArrival: SessionState;
  /** Kinds of work that the answer shows; absent: all. */
  readonly shown?: readonly Work['kind'][];
}

/**
 * Spec 4.2 and 4.3: whether this state ends a wait. It does if the session has ended, or if there is new work or a new
 * message of others after the cursor. For the moderator any event that it did not cause counts as such a message.
 */
export function endsWait(state: SessionState, { role, after, stateAtArrival, shown }: Waiting): boolean {
  if (state.profile.status === 'ENDED') return true;
  if (latestOfOthers(state, role) > (after ?? cursorOf(stateAtArrival, role))) return true;
  for (const { kind, since } of workOf(state, role))
    if ((after === undefined || since > after) && (shown?.includes(kind) ?? true)) return true;
  return false;
}

/** Number of the latest message of others; for the moderator, of the latest event that the moderator did not cause. */
const latestOfOthers = ({ feed, transcript }: SessionState, role: Role): number =>
  role === 'moderator' ? feed.fromOthers : transcript.latest[role].fromOthers;
