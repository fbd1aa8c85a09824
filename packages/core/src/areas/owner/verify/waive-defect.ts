import { z } from 'zod';
import { DefectId, Reason } from '../../fields.ts';
import { defectGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { defineDecision } from '../../operation.ts';
import { defectOf, standingDefect } from '../../verify/rules.ts';
import { DefectResult, viewDefect } from '../../verify/schemas.ts';
import { requireOpen } from '../rules.ts';

/** Domain 3. Closes a defect without a fix. The scenario that found the defect must still pass. */
export const waiveDefect = defineDecision({
  name: 'waiveDefect',
  summary: 'Waive a defect with your reason; its scenario can run again and still has to pass.',
  access: { owner: true },
  input: z.strictObject({ defect_id: DefectId, reason: Reason, ...SEEN }),
  output: DefectResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'DEFECT_CLOSED'],

  said: ({ answer: { defect } }) =>
    `${defect.defect_id} is waived with your reason. Scenario ${defect.scenario_id} can run again, and still has to pass.`,

  restsOn: (state, { defect_id }) => defectGrounds(state, defect_id),

  decide(state, { defect_id, reason }) {
    requireOpen(state, 'waiveDefect');
    const { scenario_id } = standingDefect(state.verify, defect_id);
    return [{ kind: 'defect.waived', data: { defect_id, scenario_id, reason } }];
  },

  reply: ({ verify }, { defect_id }) => ({ defect: viewDefect(defectOf(verify, defect_id)) }),
});
