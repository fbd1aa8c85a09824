import { fail } from '../../kernel/errors.ts';
import type { Phase, Status } from '../session/state.ts';
import type { SessionState } from '../state.ts';

/** Refuses an operation of the owner that does not work in the session's status. */
export function requireStatus(
  { profile: { status } }: SessionState,
  operation: string,
  ...allowed: readonly Status[]
): void {
  if (allowed.includes(status)) return;
  fail('INVALID_TRANSITION', `${operation} works in ${allowed.join(', ')}; the session is ${status}.`, {
    status,
    allowed_statuses: [...allowed],
  });
}

export const requireOpen = (state: SessionState, operation: string): void =>
  requireStatus(state, operation, 'DRAFT', 'ACTIVE', 'PAUSED');

/** Refuses an operation of the owner that does not work in the session's phase. */
export function requirePhase(
  { profile: { phase } }: SessionState,
  operation: string,
  ...allowed: readonly Phase[]
): void {
  if (allowed.includes(phase)) return;
  fail('INVALID_TRANSITION', `${operation} works in ${allowed.join(', ')}; the session is in ${phase}.`, {
    phase,
    allowed_phases: [...allowed],
  });
}

/** Refuses an operation about the moderator while the owner does not allow moderators. */
export function requireEntitled({ access }: SessionState): void {
  if (access.isModeratorEntitled) return;
  fail('MODERATOR_NOT_ENTITLED', 'You do not admit moderators: call setModeratorEntitlement, then invite again.');
}
