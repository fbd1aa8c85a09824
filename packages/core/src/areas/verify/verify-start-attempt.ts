import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { otherBuilder } from '../../kernel/roles.ts';
import { refuseCredentials } from '../credentials/rules.ts';
import { BuilderRole, text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { OtherAddress } from '../task.ts';
import { Commits } from './events.ts';
import { EvaluationView } from './record.ts';
import { evidenceDrafts, GivenItems } from './scenarios/given-evidence.ts';
import { declaredCommits, requireDependencies } from './scenarios/readiness.ts';
import { openDefectsOf, SCENARIO_STATUSES, scenarioOf } from './scenarios/scenarios.ts';
import { viewEvaluation } from './schemas.ts';

/**
 * Spec 3. Starts an attempt of a scenario. If the scenario already has an open attempt, stores the new items of
 * evidence in the open attempt and returns it, even if another scenario, on which this scenario depends, has failed
 * since the start. Numbers of attempts are not used again.
 */
export const verifyStartAttempt = defineOperation({
  name: 'verify_start_attempt',
  summary: 'Start an attempt of a scenario you execute.',
  rest: 'POST verify/attempts',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({ scenario_id: text(60), evidence: GivenItems.optional() }),
  output: z.strictObject({
    scenario_id: z.string(),
    attempt: z.int(),
    status: z.enum(SCENARIO_STATUSES),
    started_by: BuilderRole,
    commits: Commits,
    evaluation: EvaluationView,
    other_address: OtherAddress,
  }),
  errors: [
    'UNKNOWN_RECORD',
    'NOT_ASSIGNED',
    'HANDSHAKE_INCOMPLETE',
    'DEFECT_OPEN',
    'DEPENDENCY_NOT_PASSED',
    'LIMIT_EXCEEDED',
    'IDEMPOTENCY_CONFLICT',
  ],

  decide(state, { scenario_id, evidence = [] }, { role }, { limits }) {
    const scenario = scenarioOf(state, scenario_id);
    const { test, open, record } = scenario;
    if (test.executor !== role)
      fail(
        'NOT_ASSIGNED',
        `Only ${test.executor} starts attempts of ${scenario_id}, because the contract names it as executor.`,
        {
          executor: test.executor,
        },
      );
    refuseCredentials({ evidence }, 'likely');
    const target = { state, builder: test.executor, scenario_id, limits, member: 'evidence' as const };
    if (open) return evidenceDrafts({ ...target, attempt: open.attempt, has: open.evidence }, evidence);
    const commits = declaredCommits(state);
    const [defect] = openDefectsOf(state, scenario_id);
    if (defect)
      fail(
        'DEFECT_OPEN',
        `Scenario ${scenario_id} cannot start: its defect ${defect.defect_id} is open and assigned to ${defect.assigned_to}.`,
        {
          defect_id: defect.defect_id,
          assigned_to: defect.assigned_to,
        },
      );
    requireDependencies(scenario);
    const attempt = record.earlier.length + record.attempts.length + 1;
    return [
      { kind: 'attempt.started', data: { scenario_id, attempt, commits } },
      ...evidenceDrafts({ ...target, attempt, has: [] }, evidence),
    ];
  },

  reply(state, { scenario_id }) {
    const { open, evaluation, status } = scenarioOf(state, scenario_id);
    if (!open || !evaluation) throw new Error('The attempt was stored, but the state does not contain it.');
    return {
      scenario_id,
      attempt: open.attempt,
      status,
      started_by: open.started_by,
      commits: open.commits,
      evaluation: viewEvaluation(evaluation),
      other_address: state.verify.handshakes[otherBuilder(open.started_by)]?.address,
    };
  },
});
