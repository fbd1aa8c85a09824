import { z } from 'zod';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { refuseCredentials } from '../credentials/rules.ts';
import { text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { EvaluationView } from './record.ts';
import { evaluateEvidence } from './scenarios/evaluation.ts';
import { attemptWithKey, evidenceDrafts, GivenItem } from './scenarios/given-evidence.ts';
import { attemptOf, SCENARIO_STATUSES, type Scenario, scenarioOf } from './scenarios/scenarios.ts';
import { viewEvaluation } from './schemas.ts';

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
      attemptWithKey(scenario, attempt, role, item.evidence_key) ??
      attemptOf(scenario, attempt, whereTo(scenario, role));
    refuseCredentials(input, 'likely');
    if (!isBuilder(role)) return [];
    return evidenceDrafts({ state, builder: role, scenario_id, attempt, has, limits }, [item]);
  },

  reply(state, { scenario_id, attempt }, { caller: { role }, events: [event] }) {
    const { test, status, record } = scenarioOf(state, scenario_id);
    const own = record.attempts.find((one) => one.attempt === attempt);
    const evaluation = evaluateEvidence(own?.evidence ?? [], test.evidence_policy);
    const commit = event ? Object(event.data).commit : isBuilder(role) && own?.commits[role];
    return { scenario_id, attempt, status, commit: String(commit), evaluation: viewEvaluation(evaluation) };
  },
});

/**
 * Where a builder gives evidence instead of in an attempt that is over. Undefined if `verify_next` lists the next
 * attempt.
 */
function whereTo({ test: { executor }, open, status }: Scenario, role: Role): string | undefined {
  if (open) return `Evidence needs an open attempt: give it for attempt ${open.attempt}.`;
  if (status !== 'PASSED') return undefined;
  const how =
    executor === role
      ? 'start the next attempt with verify_start_attempt'
      : `ask ${executor} with answer_question (questions) to start the next attempt,`;
  return `Evidence needs an open attempt. If the verdict no longer holds, ${how} and give the evidence there.`;
}
