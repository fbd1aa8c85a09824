import { z } from 'zod';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import { type Agent, isBuilder, type Role } from '../../../kernel/roles.ts';
import { viewOwnerAction } from '../../actions/owner-words.ts';
import { doableActionsOf, isModeratorsToDo, tickedOffActionsOf } from '../../actions/rules.ts';
import { blockersOf } from '../../blockers/blockers-of.ts';
import { AgentRole, At } from '../../fields.ts';
import type { SessionState } from '../../state.ts';
import { callsOf } from '../../verify/next/next.ts';
import { dutyWords, type NamedCall } from './duty-words.ts';

/** What an agent has to do next, in words for the owner. Lists of sessions also say since when. */
export const DutyView = z.strictObject({
  role: AgentRole,
  text: z.string(),
  since: At.optional(),
});
documented.add(DutyView, { id: 'Duty' });

/** The duties of the agents among the given roles, in the order of the roles. */
export const viewDuties = (state: SessionState, movers: readonly Role[]): z.output<typeof DutyView>[] =>
  movers.flatMap((role) => (role === 'owner' ? [] : [{ role, text: dutyOf(state, role) }]));

const dutyOf = (state: SessionState, role: Agent): string =>
  isBuilder(role) ? callText(state, callsOf(state, role)[0]) : moderatorText(state);

/**
 * What the agent must do, in words for the owner: for a call about an action, the text of the action; for any other
 * call, its `dutyWords`.
 */
function callText(state: SessionState, call: NamedCall | undefined): string {
  const { action_id: id } = call?.payload ?? {};
  const action = typeof id === 'string' ? lookUp(state.actions.all, id) : undefined;
  return action ? `${action.action_id}: ${viewOwnerAction(action).text}` : dutyWords(call);
}

function moderatorText(state: SessionState): string {
  const [action = tickedOffActionsOf(state.actions, 'moderator').find((one) => isModeratorsToDo(state, one))] =
    doableActionsOf(state, 'moderator');
  if (action) return `${action.action_id}: ${viewOwnerAction(action).text}`;
  const blocker = blockersOf(state).find(({ responsible }) => responsible === 'moderator');
  return callText(state, blocker?.resolution);
}
