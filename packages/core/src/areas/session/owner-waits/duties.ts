import { z } from 'zod';
import { documented } from '../../../kernel/operation/documented.ts';
import type { Role } from '../../../kernel/roles.ts';
import { AgentRole, At } from '../../fields.ts';
import type { SessionState } from '../../state.ts';
import { callsDue } from '../../tasks/due.ts';
import { taskForOwner } from '../../tasks/task-text.ts';

/** What an agent has to do next, in words for the owner. Lists of sessions also say since when. */
export const DutyView = z.strictObject({
  role: AgentRole,
  text: z.string(),
  since: At.optional(),
});
documented.add(DutyView, { id: 'Duty' });

/** The first tasks of the agents among the given roles, in the order of the roles. */
export const viewDuties = (state: SessionState, movers: readonly Role[]): z.output<typeof DutyView>[] =>
  movers.flatMap((role) => (role === 'owner' ? [] : [{ role, text: taskForOwner(state, callsDue(state, role)[0]) }]));
