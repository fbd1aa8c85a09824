import type { z } from 'zod';
import type { Presence } from '../../kernel/last-calls.ts';
import type { Role } from '../../kernel/roles.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import type { Instruction } from '../task.ts';
import { nextTask } from '../tasks/due.ts';
import { ownerStep } from './owner-waits/owner-step.ts';

/**
 * The next step of a role: its first task.
 * @param presence only for the owner: adds the tasks that depend on the time and on the agents' last calls
 */
export function instructionFor(state: SessionState, role: Role, presence?: Presence): z.output<typeof Instruction> {
  if (state.profile.status === 'ENDED')
    return { tool: null, text: 'The session has ended: there is nothing left to do. You can still read.' };
  if (role === 'owner') return ownerStep(state, presence);
  const { tool = null, text } = nextTask(state, role);
  return { tool, ...routeOf(tool, role), text };
}
