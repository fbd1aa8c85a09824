import { AGENTS, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import type { SessionState } from '../state.ts';
import { instructionFor } from './instruction.ts';
import { ownerWaits } from './owner-waits.ts';
import { isWaiting } from './step.ts';

/** The roles whose instruction asks for more than waiting and reading. */
export function moversOf(state: SessionState): Role[] {
  const { status } = state.profile;
  if (status === 'ENDED') return [];
  const agents = AGENTS.filter((role) => role !== 'moderator' || hasModerator(state)).filter((role) => {
    const step = instructionFor(state, role);
    return status === 'ACTIVE' && !isWaiting(step) && step.tool !== 'ack_events';
  });
  return ownerWaits(state).some(({ blocking }) => blocking) ? ['owner', ...agents] : agents;
}
