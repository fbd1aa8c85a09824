import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import { AGENTS } from '../../../kernel/roles.ts';
import { openActionsOf } from '../../actions/rules.ts';
import { ActionView, viewAction } from '../../actions/schemas.ts';
import type { SessionEvent } from '../../catalog.ts';
import { AgentRole, LongText } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';
import { ABSENT, absentText, viewAbsent } from './asked.ts';

type ActionOpened = Extract<SessionEvent, { kind: 'action.opened' }>;

/** Domain 3 and 5. Opens an action of the type OWNER_TASK, which only the agent can complete. */
export const assignAction = defineOperation({
  name: 'assignAction',
  summary: "Give an agent a task; the task stays among the agent's actions until the agent completes it.",
  access: { owner: true },
  input: z.strictObject({ target: AgentRole, text: LongText }),
  output: z.strictObject({ action: ActionView, ...ABSENT }).register(documented, { id: 'ActionResult' }),
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said: ({ answer: { action, absent }, input: { target }, nameOf }) =>
    `${action.action_id} is assigned to ${nameOf(target)}. It stays open until the agent completes it.${absentText(absent, nameOf)}`,

  decide(state, { target, text }, _caller, { limits }) {
    requireOpen(state, 'assignAction');
    const { all } = state.actions;
    const open = AGENTS.flatMap((agent) => openActionsOf(state.actions, agent));
    if (open.length >= limits.openActions)
      fail('LIMIT_EXCEEDED', `The agents already have ${limits.openActions} open actions, which is the limit.`, {
        limit: limits.openActions,
        hint: 'Wait until an agent has completed one of its actions, then assign the task again.',
      });
    return [
      { kind: 'action.opened', data: { action_id: `act_${all.size + 1}`, due_to: target, type: 'OWNER_TASK', text } },
    ];
  },

  reply(state, { target }, { events }) {
    const opened = events.find((event): event is ActionOpened => event.kind === 'action.opened');
    const action = opened && lookUp(state.actions.all, opened.data.action_id);
    return {
      action: viewAction(action ?? fail('INTERNAL', 'The action was stored, but the state does not contain it.')),
      ...viewAbsent(state, [target]),
    };
  },
});
