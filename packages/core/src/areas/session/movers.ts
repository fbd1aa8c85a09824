import { AGENTS, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import type { SessionState } from '../state.ts';
import { instructionFor } from './instruction.ts';
import { ownerWaits } from './owner-waits.ts';

const WAITING: readonly (string | null)[] = [null, 'wait_for_my_turn', 'wait_for_activity', 'get_session_events'];

/** Whose move it is: everybody whose instruction is not to wait. */
export function moversOf(state: SessionState): Role[] {
  const { status } = state.profile;
  if (status === 'ENDED') return [];
  const agents = AGENTS.filter((role) => role !== 'moderator' || hasModerator(state)).filter(
    (role) => status === 'ACTIVE' && !WAITING.includes(instructionFor(state, role).tool),
  );
  return ownerWaits(state).some(({ blocking }) => blocking) ? ['owner', ...agents] : agents;
}
