import type { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { Presence } from '../../kernel/last-calls.ts';
import type { Domain, Operation } from '../../kernel/operation/operation.ts';
import type { Role } from '../../kernel/roles.ts';
import { termsOf } from '../profiles.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import type { Instruction } from '../task.ts';
import { nextTask } from '../tasks/due.ts';
import { notDone } from '../verify/scenarios.ts';
import { ownerStep } from './owner-waits/owner-waits.ts';

/**
 * The next step of a role: its first task.
 * @param presence only for the owner: adds the tasks that depend on the time and on the agents' last calls
 */
export function instructionFor(state: SessionState, role: Role, presence?: Presence): z.output<typeof Instruction> {
  if (state.profile.status === 'ENDED')
    return {
      tool: null,
      text: `The session has ended: there is nothing left to do. You can still read.${releasedNote(state, role)}`,
    };
  if (role === 'owner') return ownerStep(state, presence);
  const { tool = null, text } = nextTask(state, role);
  return { tool, ...routeOf(tool, role), text };
}

const releasedNote = (state: SessionState, role: Role): string =>
  termsOf(state).releasesAtOnce && state.manifest.activation_authorized ? ` ${notDone(state, role)}` : '';

export const checkLifecycle: Domain<SessionState>['checkLifecycle'] = (state, operation, { role }) => {
  const { status, phase } = state.profile;
  if (operation.access.anyone) return;
  if (status === 'ENDED' && operation.worksAfterEnd) return;
  if (status === 'ENDED') fail('SESSION_ENDED', 'The session has ended.', { status });
  if (status !== 'ACTIVE' && !worksIn(status, operation, role)) requireActive(state);
  const allowed_phases = operation.phases && [...operation.phases, ...(termsOf(state).alsoIn[operation.name] ?? [])];
  if (allowed_phases && !allowed_phases.includes(phase)) {
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
