import { fail } from '../../kernel/errors.ts';
import type { Domain } from '../../kernel/operation/domain.ts';
import type { Operation } from '../../kernel/operation/operation.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';

export const checkLifecycle: Domain<SessionState>['checkLifecycle'] = (state, operation, { role }) => {
  const { status, phase } = state.profile;
  if (operation.access.anyone) return;
  if (status === 'ENDED' && operation.worksAfterEnd) return;
  if (status === 'ENDED') fail('SESSION_ENDED', 'The session has ended.', { status });
  if (status !== 'ACTIVE' && !worksIn(status, operation, role)) requireActive(state);
  if (operation.phases && !operation.phases.includes(phase)) {
    const allowed_phases = [...operation.phases];
    fail('WRONG_PHASE', `${operation.name} works in ${allowed_phases.join(' and ')}; the session is in ${phase}.`, {
      phase,
      allowed_phases,
    });
  }
};

/** Refuses the call unless the session is ACTIVE. Used by operations of which only a part works during a pause. */
export function requireActive({ profile: { status } }: SessionState): void {
  if (status !== 'ACTIVE') fail('SESSION_NOT_ACTIVE', `The session is ${status}.`, { status });
}

const worksIn = (
  status: 'DRAFT' | 'PAUSED',
  { worksWhilePaused }: Pick<Operation<SessionState>, 'worksWhilePaused'>,
  role: Role,
): boolean =>
  worksWhilePaused === 'moderator' ? status === 'PAUSED' && role === 'moderator' : worksWhilePaused === true;
