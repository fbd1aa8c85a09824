import { z } from 'zod';
import { BuilderRole, DefectId } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { defectOf, standingDefect } from '../../verify/rules.ts';
import { DefectResult, viewDefect } from '../../verify/schemas.ts';
import { requireOpen } from '../rules.ts';

/** Domain 3. The other builder must then fix the defect. */
export const reassignDefect = defineOperation({
  name: 'reassignDefect',
  summary: 'Assign a defect to the other agent.',
  access: { owner: true },
  input: z.strictObject({ defect_id: DefectId, role: BuilderRole }),
  output: DefectResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'DEFECT_CLOSED'],

  decide(state, { defect_id, role }) {
    requireOpen(state, 'reassignDefect');
    const { assignedTo, scenarioId } = standingDefect(state.verify, defect_id);
    if (assignedTo === role) return [];
    return [{ kind: 'defect.reassigned', data: { defect_id, scenario_id: scenarioId, assigned_to: role } }];
  },

  reply: ({ verify }, { defect_id }) => ({ defect: viewDefect(defectOf(verify, defect_id)) }),
});
