import type { z } from 'zod';
import type { Presence } from '../../kernel/last-calls.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { type Instruction, type Step, say } from '../due/step.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import { ownerStep } from './owner-waits/owner-step.ts';
import { builderStep } from './steps/builder-step.ts';
import { moderatorStep } from './steps/moderator-step.ts';

/**
 * The next step of a role.
 * @param presence only for the owner: adds the tasks that depend on the time and on the agents' last calls
 */
export function instructionFor(state: SessionState, role: Role, presence?: Presence): z.output<typeof Instruction> {
  const { tool, text } = nextStep(state, role, presence);
  return { tool, ...routeOf(tool, role), text };
}

function nextStep(state: SessionState, role: Role, presence?: Presence): Step {
  const { status } = state.profile;
  if (status === 'ENDED') return say(null, 'The session has ended: there is nothing left to do. You can still read.');
  if (role === 'owner') return ownerStep(state, presence);
  return isBuilder(role) ? builderStep(state, role) : moderatorStep(state);
}
