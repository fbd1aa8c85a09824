import { fail } from '../../kernel/errors.ts';
import type { Phase, Status } from '../session/state.ts';
import type { SessionState } from '../state.ts';

/** Refuses an owner's operation outside the statuses it works in. */
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

/** Refuses an owner's operation outside the phases it works in. */
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

/** Refuses what an owner without moderators asks for one. */
export function requireEntitled({ access }: SessionState): void {
  if (access.isModeratorEntitled) return;
  fail('MODERATOR_NOT_ENTITLED', 'You have no moderators: admit them with setModeratorEntitlement, then invite again.');
}
