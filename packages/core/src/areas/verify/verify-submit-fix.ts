import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { DefectId, LongText } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { defectOf, hasNewCommit, standingDefect } from './rules.ts';
import { DefectResult, viewDefect } from './schemas.ts';

/**
 * Spec 3. Marks a defect as fixed. The builder must have declared another commit since the failure. Another note on a defect
 * that is fixed already replaces the note and the commit. The defect is closed only when the scenario passes again.
 */
export const verifySubmitFix = defineOperation({
  name: 'verify_submit_fix',
  summary: 'Mark your defect fixed, after verify_handshake.',
  rest: 'POST verify/defects/fix',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({ defect_id: DefectId, note: LongText }),
  output: DefectResult,
  errors: ['UNKNOWN_RECORD', 'NOT_ASSIGNEE', 'DEFECT_CLOSED', 'NEW_COMMIT_REQUIRED'],

  decide(state, { defect_id, note }, { role }) {
    const { assigned_to } = defectOf(state.verify, defect_id);
    if (assigned_to !== role)
      fail(
        'NOT_ASSIGNEE',
        `Only ${assigned_to} can mark defect ${defect_id} fixed, because it is assigned to that agent.`,
        { assigned_to },
      );
    const defect = standingDefect(state.verify, defect_id);
    if (defect.status === 'FIXED' && defect.fix?.note === note) return [];
    const commit = isBuilder(role) ? state.verify.handshakes[role]?.commit : undefined;
    if (!isBuilder(role) || commit === undefined || !hasNewCommit(state.verify, defect, role))
      return fail('NEW_COMMIT_REQUIRED', `You have declared no new commit since defect ${defect_id} was found.`, {
        failed_commit: isBuilder(role) ? defect.commits[role] : null,
      });
    return [{ kind: 'defect.fixed', data: { defect_id, scenario_id: defect.scenario_id, note, commit } }];
  },

  reply: ({ verify }, { defect_id }) => ({ defect: viewDefect(defectOf(verify, defect_id)) }),
});
