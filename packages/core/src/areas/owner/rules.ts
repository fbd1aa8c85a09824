import { fail } from '../../kernel/errors.ts';
import type { Phase, Status } from '../session/state.ts';
import type { SessionState } from '../state.ts';

export function requireStatus(
  { profile: { status } }: SessionState,
  operation: string,
  ...allowed: readonly Status[]
): void {
  if (allowed.includes(status)) return;
  fail(
    'INVALID_TRANSITION',
    `${operation} works in sessions that are ${allowed.join(' or ')}; this session is ${status}.`,
    {
      status,
      allowed_statuses: [...allowed],
    },
  );
}

export const requireOpen = (state: SessionState, operation: string): void =>
  requireStatus(state, operation, 'DRAFT', 'ACTIVE', 'PAUSED');

export function requirePhase(
  { profile: { phase } }: SessionState,
  operation: string,
  ...allowed: readonly Phase[]
): void {
  if (allowed.includes(phase)) return;
  fail('INVALID_TRANSITION', `${operation} works in ${allowed.join(' and ')}; the session is in ${phase}.`, {
    phase,
    allowed_phases: [...allowed],
  });
}

/**
 * Refuses a repeated call that changes nothing but says something, which would be lost.
 *
 * @param said the member of the call that would be lost, such as `reason`
 * @param stands what the first call has done, in words before "already"
 */
export function refuseToDrop(said: string, stands: string, hint: string): never {
  return fail('INVALID_TRANSITION', `${stands} already: nothing changes, and your ${said} is not stored.`, { hint });
}

export function requireEntitled({ access }: SessionState): void {
  if (access.isModeratorEntitled) return;
  fail(
    'MODERATOR_NOT_ENTITLED',
    'You do not admit moderators. Call setModeratorEntitlement with entitled: true, then invite the moderator again.',
  );
}
