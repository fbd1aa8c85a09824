import { z } from 'zod';
import { plural } from '../../../kernel/counted.ts';
import { Reason, text } from '../../fields.ts';
import { scenarioGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { defineDecision } from '../../operation.ts';
import { carryDraft } from '../../verify/scenarios/carry.ts';
import { scenarioOf } from '../../verify/scenarios/scenarios.ts';
import { CarriedPassView, viewCarriedPass } from '../../verify/schemas.ts';
import { requireStatus } from '../rules.ts';

/** Lets a stale pass count for the declared commits, if the contract allows it for the test. */
export const carryPass = defineDecision({
  name: 'carryPass',
  summary: 'Let a stale pass count for the declared commits without a rerun, for the reason that you give.',
  access: { owner: true },
  input: z.strictObject({ scenario_id: text(60), reason: Reason, ...SEEN }),
  output: CarriedPassView,
  errors: [
    'INVALID_TRANSITION',
    'UNKNOWN_RECORD',
    'ATTEMPT_CLOSED',
    'NOT_ASSIGNED',
    'DEFECT_OPEN',
    'HANDSHAKE_INCOMPLETE',
    'HANDSHAKE_NOT_READY',
    'FIXTURE_MISMATCH',
    'DEPENDENCY_NOT_PASSED',
  ],

  said({ answer: { scenario_id, attempt, carried }, nameOf }) {
    const { commits, changes, reason } = carried;
    const differences = changes.map(
      ({ declared_by, since, paths }) =>
        `${since.slice(0, 12)} → ${commits[declared_by].slice(0, 12)} (${plural(paths, 'changed path')}, declared by ${nameOf(declared_by)})`,
    );
    return `${scenario_id}/${attempt} counts as passed: ${differences.join(', ') || 'the same commits again'}: ${reason}`;
  },

  restsOn: (state, { scenario_id }) => scenarioGrounds(state, scenario_id),

  decide(state, { scenario_id, reason }) {
    requireStatus(state, 'carryPass', 'ACTIVE', 'PAUSED');
    return [carryDraft(state, { scenario_id, reason, by: 'owner' })];
  },

  reply(state, { scenario_id }) {
    const [pass] = viewCarriedPass(scenarioOf(state, scenario_id));
    if (!pass) throw new Error('The carried pass was stored, but the state does not contain it.');
    return pass;
  },
});
