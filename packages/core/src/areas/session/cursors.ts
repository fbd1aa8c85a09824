import { latestSeen } from '../../kernel/log/transcript.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { headOf, latestInFeed } from '../feed/state.ts';
import { openOf } from '../interventions/rules.ts';
import { openQuestionsFrom } from '../questions/rules.ts';
import { currentModeratorReview } from '../reviews/moderator-rules.ts';
import type { SessionState } from '../state.ts';

/**
 * Number of the latest item that a role can have read: for the moderator the latest event in its feed, for any other
 * role the latest message that it sees. If the moderator requests changes to the latest revision, the last event that
 * stopped, restored, allowed or disallowed the moderator counts for a builder too: it changes whether this request
 * blocks.
 */
const lastShown = (state: SessionState, role: Role): number =>
  role === 'moderator'
    ? headOf(state.feed)
    : Math.max(state.transcript.latest[role].seen, isBuilder(role) ? objectionSince(state) : 0);

/**
 * {@link lastShown} without the open questions at the end that the role itself asked: its own question changes nothing
 * for the role before somebody answers it.
 */
export function stepSince(state: SessionState, role: Role): number {
  const asked = isBuilder(role) ? openQuestionsFrom(state.questions, role) : openOf(state.interventions, 'moderator');
  const own = new Set(asked.map(({ seq }) => seq));
  const last = lastShown(state, role);
  if (!own.has(last)) return last;
  if (role === 'moderator') return latestInFeed(state.feed, (seq) => !own.has(seq));
  return latestSeen(state.transcript, role, (seq) => !own.has(seq));
}

const objectionSince = (state: SessionState): number =>
  currentModeratorReview(state)?.verdict === 'REQUEST_CHANGES' ? state.access.moderatorHeardSince : 0;

/**
 * The cursor in a state view: the view shows everything up to this number. For a builder, the cursor can be the
 * position of an action that opened after the last message.
 */
export const cursorOf = (state: SessionState, role: Role): number =>
  isBuilder(role) ? Math.max(lastShown(state, role), state.actions.latestFor[role] ?? 0) : lastShown(state, role);

/**
 * Refuses a cursor that is higher than every id that the role can have read, because the role would then miss future
 * items.
 */
export function refuseBeyond(path: string, cursor: number | undefined, head: number): void {
  if (cursor !== undefined && cursor > head)
    refuseInput([{ path, message: `Must be at most ${head}, the latest id you can see.` }]);
}

export const checkAfter = (state: SessionState, role: Role, after: number | undefined): void =>
  refuseBeyond('after', after, cursorOf(state, role));
