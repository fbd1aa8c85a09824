import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { BuilderRole, Reason, text } from '../../fields.ts';
import { stepGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { defineDecision } from '../../operation.ts';
import { REFUSED_STAGES } from '../../verify/events.ts';
import { defectOf } from '../../verify/rules.ts';
import { passOf, scenarioOf } from '../../verify/scenarios/scenarios.ts';
import { DefectResult, viewDefect } from '../../verify/schemas.ts';
import { requirePhase, requireStatus } from '../rules.ts';

const PHASES = { deployment: 'VERIFY', activation: 'RELEASE' } as const;

/**
 * Refuses the deployment or the activation for a fault that a passed scenario did not show. Opens a defect of this
 * scenario, which stops the step until the scenario has passed again on a commit that fixes the fault.
 */
export const refuseStep = defineDecision({
  name: 'refuseStep',
  summary: 'Refuse the deployment or the activation with a reason: opens a defect that an agent has to fix first.',
  access: { owner: true },
  input: z.strictObject({
    stage: z.enum(REFUSED_STAGES),
    scenario_id: text(60).describe('The passed scenario that has to pass again, now without the fault.'),
    role: BuilderRole.optional().describe('Who has to fix it; by default the agent that the contract names.'),
    reason: Reason,
    ...SEEN,
  }),
  output: DefectResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD'],

  said: ({ input: { stage }, answer: { defect }, nameOf }) =>
    `The ${stage} is refused with your reason: ${defect.defect_id} is open, and ${nameOf(defect.assigned_to)} has to fix it. Scenario ${defect.scenario_id} then has to pass again.`,

  restsOn: (state, { stage }) => stepGrounds(state, stage),

  decide(state, { stage, scenario_id, role, reason }) {
    requireStatus(state, 'refuseStep', 'ACTIVE', 'PAUSED');
    requirePhase(state, `refuseStep ${stage}`, PHASES[stage]);
    if (state.manifest.activation_authorized)
      fail('INVALID_TRANSITION', 'The activation is authorized already.', {
        hint: 'Request changes, or end the session.',
      });
    const { test, status, record } = scenarioOf(state, scenario_id);
    const pass = status === 'PASSED' ? passOf(record) : undefined;
    if (!pass)
      return fail(
        'INVALID_TRANSITION',
        `Scenario ${scenario_id} is ${status}: only one that has passed can be refused.`,
        {
          hint: 'Read the board: it says who has the next step of the scenario.',
        },
      );
    const data = {
      defect_id: `def_${state.verify.defects.size + 1}`,
      scenario_id,
      attempt: pass.attempt,
      assigned_to: role ?? test.responsible,
      commits: { ...(record.carried ?? pass).commits },
      refusal: { stage, reason },
    };
    return [{ kind: 'defect.opened', data }];
  },

  reply: ({ verify }) => ({ defect: viewDefect(defectOf(verify, `def_${verify.defects.size}`)) }),
});
