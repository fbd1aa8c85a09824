import type { Role } from '../../kernel/roles.ts';
import { doableActionsOf } from '../actions/rules.ts';
import type { SessionState } from '../state.ts';
import { isWaiting } from '../task.ts';
import { nextTask } from '../tasks/due.ts';
import { cursorOf, stepSince } from './cursors.ts';

/** Work of a role: an action, unacknowledged events, or the call that its instruction names. */
interface Work {
  readonly kind: 'ACTION' | 'EVENTS' | 'STEP';
  /** Id of a message or event. Work does not end the wait of a caller whose cursor is at least this id. */
  readonly since: number;
}

/**
 * All work of a role, for calls that wait for the state or the feed.
 * STEP is the call that the instruction names. Its `since` is the id of the last message that can have changed the
 * instruction. A REPORT_GATES action is not listed as ACTION, only as STEP if the
 * instruction names its call.
 */
function* workOf(state: SessionState, role: Role): Generator<Work> {
  const { feed } = state;
  for (const { since, type } of doableActionsOf(state, role))
    if (type !== 'REPORT_GATES') yield { kind: 'ACTION', since };
  if (role === 'moderator' && feed.fromOthers > feed.ackedCursor) yield { kind: 'EVENTS', since: feed.fromOthers };
  if (role !== 'owner' && !isWaiting(nextTask(state, role))) yield { kind: 'STEP', since: stepSince(state, role) };
}

export interface Waiting {
  readonly role: Role;
  /**
   * The caller's cursor. If it is absent, the wait ends for any work, and for a message that others wrote after
   * `stateAtArrival`.
   */
  readonly after: number | undefined;
  readonly stateAtArrival: SessionState;
  /** The kinds of work that the answer can show. Other kinds do not end the wait. If absent, all kinds end it. */
  readonly shown?: readonly Work['kind'][];
}

/**
 * Spec 4.2 and 4.3. A wait ends if the session has ended, or if there is work or a message of others after the cursor.
 * For the moderator, every event that it did not cause counts as such a message.
 */
export function endsWait(state: SessionState, { role, after, stateAtArrival, shown }: Waiting): boolean {
  if (state.profile.status === 'ENDED') return true;
  if (latestOfOthers(state, role) > (after ?? cursorOf(stateAtArrival, role))) return true;
  for (const { kind, since } of workOf(state, role))
    if ((after === undefined || since > after) && (shown?.includes(kind) ?? true)) return true;
  return false;
}

/**
 * Id of the latest message that the role did not write. For the moderator, number of the latest event that it did not
 * cause.
 */
const latestOfOthers = ({ feed, transcript }: SessionState, role: Role): number =>
  role === 'moderator' ? feed.fromOthers : transcript.latest[role].fromOthers;
