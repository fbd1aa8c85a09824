import type { Presence } from '../../kernel/last-calls.ts';
import { AGENTS, type Agent, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import type { SessionState } from '../state.ts';
import { isWaiting } from '../task.ts';
import { isCaveat, nextTask } from '../tasks/due.ts';
import { ownerWaits } from './owner-waits/owner-waits.ts';

/**
 * The roles that must act next: the owner if a blocking task waits for the owner, and in an ACTIVE session each agent
 * whose instruction names a call that neither waits nor acknowledges events. An agent comes last if its next step is the
 * answer to a finding that does not block or to a directive that it has acknowledged, because no other step depends on it.
 * @param presence adds the owner's tasks that depend on the time and on the agents' last calls
 */
export function moversOf(state: SessionState, presence?: Presence): Role[] {
  const { status } = state.profile;
  if (status === 'ENDED') return [];
  const agents = AGENTS.filter((role) => role !== 'moderator' || hasModerator(state)).filter((role) => {
    const next = nextTask(state, role);
    return status === 'ACTIVE' && !isWaiting(next) && next.code !== 'READ_EVENTS';
  });
  const last = agents.filter((role) => comesLast(state, role));
  const inOrder = [...agents.filter((role) => !last.includes(role)), ...last];
  return ownerWaits(state, presence).some(({ blocking }) => blocking) ? ['owner', ...inOrder] : inOrder;
}

/** Whether no other step depends on the next step of the agent: the answer to a caveat or to an acknowledged directive. */
function comesLast(state: SessionState, role: Agent): boolean {
  const next = nextTask(state, role);
  return isCaveat(next) || next.code === 'REPORT_DIRECTIVE';
}
