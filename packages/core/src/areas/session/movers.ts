import type { Presence } from '../../kernel/last-calls.ts';
import { AGENTS, type Agent, isBuilder, type Role } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { isWaiting } from '../due/step.ts';
import type { SessionState } from '../state.ts';
import { callsOf } from '../verify/next/next.ts';
import { instructionFor } from './instruction.ts';
import { ownerWaits } from './owner-waits/owner-waits.ts';

/**
 * The roles that must act next: the owner if a blocking task waits for the owner, and in an ACTIVE session each agent
 * whose instruction names a call that neither waits nor acknowledges events. An agent whose next step is the answer to
 * a directive that it has acknowledged comes last, because no other step depends on this answer.
 * @param presence adds the owner's tasks that depend on the time and on the agents' last calls
 */
export function moversOf(state: SessionState, presence?: Presence): Role[] {
  const { status } = state.profile;
  if (status === 'ENDED') return [];
  const agents = AGENTS.filter((role) => role !== 'moderator' || hasModerator(state)).filter((role) => {
    const step = instructionFor(state, role);
    return status === 'ACTIVE' && !isWaiting(step) && step.tool !== 'ack_events';
  });
  const reporting = agents.filter((role) => onlyReports(state, role));
  const inOrder = [...agents.filter((role) => !reporting.includes(role)), ...reporting];
  return ownerWaits(state, presence).some(({ blocking }) => blocking) ? ['owner', ...inOrder] : inOrder;
}

/** Whether the next step of the agent is the answer to a directive that it has acknowledged. */
const onlyReports = (state: SessionState, role: Agent): boolean =>
  isBuilder(role) && callsOf(state, role)[0]?.reportsOn !== undefined;
