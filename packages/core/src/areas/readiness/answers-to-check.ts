import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionId, BuilderRole } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { reportToCheck } from './rules.ts';

/** The builder whose readiness answers the caller must check, and the action that confirms them. */
export const AnswersToCheck = z
  .strictObject({ answers_of: BuilderRole, action_id: ActionId })
  .register(documented, { id: 'AnswersToCheck' });

export function viewAnswersToCheck(state: SessionState, role: Role): z.output<typeof AnswersToCheck> | undefined {
  const report = isBuilder(role) ? reportToCheck(state, role) : undefined;
  const action = openActionsOf(state.actions, role).find(({ type }) => type === 'CONFIRM_ANSWERS');
  return report && action && { answers_of: report.by, action_id: action.action_id };
}
