import type { Domain } from '../../kernel/domain.ts';
import { fail } from '../../kernel/errors.ts';
import type { SessionState } from '../state.ts';

/** What status and phase forbid to the holder of a token. */
export const checkLifecycle: Domain<SessionState>['checkLifecycle'] = ({ profile: { status, phase } }, operation) => {
  if (operation.access.anyone) return;
  if (status === 'ENDED') fail('SESSION_ENDED', 'The session has ended.', { status });
  if (status !== 'ACTIVE' && !operation.worksWhilePaused)
    fail('SESSION_NOT_ACTIVE', `The session is ${status}.`, { status });
  if (operation.phases && !operation.phases.includes(phase)) {
    const allowed_phases = [...operation.phases];
    fail('WRONG_PHASE', `${operation.name} works in ${allowed_phases.join(' and ')}; this is ${phase}.`, {
      phase,
      allowed_phases,
    });
  }
};
