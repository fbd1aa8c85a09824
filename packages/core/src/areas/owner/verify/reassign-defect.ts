import { z } from 'zod';
import { BuilderRole, DefectId, Reason } from '../../fields.ts';
import { defectGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { defineDecision } from '../../operation.ts';
import { defectOf, standingDefect } from '../../verify/rules.ts';
import { DefectResult, viewDefect } from '../../verify/schemas.ts';
import { refuseToDrop, requireOpen } from '../rules.ts';

/** Domain 3. Assigns a defect to the builder `role`, which must then fix the defect instead of the other builder. */
export const reassignDefect = defineDecision({
  name: 'reassignDefect',
  summary: 'Assign a defect to the other agent; you can add your reason.',
  access: { owner: true },
  input: z.strictObject({ defect_id: DefectId, role: BuilderRole, reason: Reason.optional(), ...SEEN }),
  output: DefectResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'DEFECT_CLOSED'],

  said: ({ answer: { defect }, nameOf }) => `${defect.defect_id} is assigned to ${nameOf(defect.assigned_to)}.`,

  restsOn: (state, { defect_id }) => defectGrounds(state, defect_id),

  decide(state, { defect_id, role, reason }) {
    requireOpen(state, 'reassignDefect');
    const { assigned_to, scenario_id, reassigned = [] } = standingDefect(state.verify, defect_id);
    if (assigned_to === role) {
      if (reason !== undefined && reason !== reassigned.at(-1)?.reason)
        refuseToDrop(
          'reason',
          `${defect_id} is assigned to ${role}`,
          `To tell ${role} why, direct it with direct. To move the defect, name the other agent.`,
        );
      return [];
    }
    const data = { defect_id, scenario_id, assigned_to: role };
    return [{ kind: 'defect.reassigned', data: reason === undefined ? data : { ...data, reason } }];
  },

  reply: ({ verify }, { defect_id }) => ({ defect: viewDefect(defectOf(verify, defect_id)) }),
});
