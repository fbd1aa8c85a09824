import { z } from 'zod';
import { isBuilder } from '../../kernel/roles.ts';
import { refuseCredentials } from '../credentials/rules.ts';
import { text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { evaluateEvidence } from './scenarios/evaluation.ts';
import { attemptWithKey, evidenceDrafts, GivenItem } from './scenarios/given-evidence.ts';
import { attemptForEvidence, SCENARIO_STATUSES, scenarioOf } from './scenarios/scenarios.ts';
import { EvaluationView, viewEvaluation } from './schemas.ts';

/**
 * Spec 3. `request_id` is the correlation id in the tested system and no idempotency key: if a call without
 * `evidence_key` is sent twice, two items are stored.
 */
export const verifySubmitEvidence = defineOperation({
  name: 'verify_submit_evidence',
  summary: 'Give evidence on an open attempt; no secrets.',
  rest: 'POST verify/evidence',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({ scenario_id: text(60), attempt: z.int().min(1), ...GivenItem }),
  output: z.strictObject({
    scenario_id: z.string(),
    attempt: z.int(),
    status: z.enum(SCENARIO_STATUSES),
    commit: z.string(),
    evaluation: EvaluationView,
  }),
  errors: ['UNKNOWN_RECORD', 'ATTEMPT_CLOSED', 'LIMIT_EXCEEDED', 'IDEMPOTENCY_CONFLICT'],

  decide(state, input, { role }, { limits }) {
    const { scenario_id, attempt, ...item } = input;
    const scenario = scenarioOf(state, scenario_id);
    const { evidence: has } =
      attemptWithKey(scenario, attempt, role, item.evidence_key) ?? attemptForEvidence(state, scenario, attempt);
    refuseCredentials(input, 'likely');
    if (!isBuilder(role)) return [];
    return evidenceDrafts({ state, builder: role, scenario_id, attempt, has, limits }, [item]);
  },

  reply(state, { scenario_id, attempt }, { caller: { role }, events: [event] }) {
    const { test, status, record } = scenarioOf(state, scenario_id);
    const own = record.attempts.find(({ number }) => number === attempt);
    const evaluation = evaluateEvidence(own?.evidence ?? [], test.evidence_policy);
    const commit = event ? Object(event.data).commit : isBuilder(role) && own?.commits[role];
    return { scenario_id, attempt, status, commit: String(commit), evaluation: viewEvaluation(evaluation) };
  },
});
