import { refuseInput } from '../../kernel/operation/input.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { headOf } from '../feed/state.ts';
import { currentModeratorReview } from '../reviews/moderator-rules.ts';
import type { SessionState } from '../state.ts';

/**
 * The last that a role was shown. To the moderator that is an event, to others a message, or the hidden event by which a
 * request for changes of the moderator has ceased to bind or binds again.
 */
export const lastShown = (state: SessionState, role: Role): number =>
  role === 'moderator'
    ? headOf(state.feed)
    : Math.max(state.transcript.latest[role].seen, isBuilder(role) ? objectionSince(state) : 0);

const objectionSince = (state: SessionState): number =>
  currentModeratorReview(state)?.verdict === 'REQUEST_CHANGES' ? state.access.moderatorHeardSince : 0;

/** The id up to which a state view shows everything: the latest message of the role, or an action that came after it. */
export const cursorOf = (state: SessionState, role: Role): number =>
  isBuilder(role) ? Math.max(lastShown(state, role), state.actions.latestFor[role] ?? 0) : lastShown(state, role);

/** A cursor beyond what its role can have seen would skip what is to come. */
export function refuseBeyond(path: string, cursor: number | undefined, head: number): void {
  if (cursor !== undefined && cursor > head)
    refuseInput([{ path, message: `Must be at most ${head}, the latest id you can see.` }]);
}

export const checkAfter = (state: SessionState, role: Role, after: number | undefined): void =>
  refuseBeyond('after', after, cursorOf(state, role));
