import type { Role } from '../../kernel/roles.ts';
import { doableActionsOf } from '../actions/rules.ts';
import { headOf } from '../feed/state.ts';
import type { SessionState } from '../state.ts';
import { cursorOf, lastShown } from './cursors.ts';
import { instructionFor } from './instruction.ts';
import { isWaiting } from './step.ts';

/** One thing that waits for a role: an action, events that it has not acknowledged, or the call that its instruction names. */
interface Work {
  readonly kind: 'ACTION' | 'EVENTS' | 'STEP';
  /** A caller whose cursor is at this id or beyond it has seen the work. */
  readonly since: number;
}

/**
 * Everything that waits for a role; every long-poll asks this function and no other. A step is as old as the last message
 * of the role, own messages included: each of them can change what the instruction names.
 */
function* workOf(state: SessionState, role: Role): Generator<Work> {
  const { feed } = state;
  for (const { since } of doableActionsOf(state, role)) yield { kind: 'ACTION', since };
  if (role === 'moderator' && headOf(feed) > feed.ackedCursor) yield { kind: 'EVENTS', since: headOf(feed) };
  if (!isWaiting(instructionFor(state, role))) yield { kind: 'STEP', since: lastShown(state, role) };
}

export interface Waiting {
  readonly role: Role;
  /** What the caller says that it has seen; left out, all work counts, and what is new since the call arrived. */
  readonly after: number | undefined;
  /** The state when the call arrived. */
  readonly opened: SessionState;
  /** The kinds of work that the answer shows; left out, all. */
  readonly shown?: readonly Work['kind'][];
}

/** Spec 4.2 and 4.3: whether a wait is answered on this state. Nothing comes after the end of a session. */
export function endsWait(state: SessionState, { role, after, opened, shown }: Waiting): boolean {
  if (state.profile.status === 'ENDED') return true;
  if (latestOfOthers(state, role) > (after ?? cursorOf(opened, role))) return true;
  for (const { kind, since } of workOf(state, role))
    if ((after === undefined || since > after) && (shown?.includes(kind) ?? true)) return true;
  return false;
}

/** The moderator's feed holds what it does itself as well, as events that it has to acknowledge. */
const latestOfOthers = ({ feed, transcript }: SessionState, role: Role): number =>
  role === 'moderator' ? headOf(feed) : transcript.latest[role].fromOthers;
