import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { refuseCredentials } from '../credentials/rules.ts';
import { EVIDENCE_KINDS } from '../document/contract.ts';
import { LongText, text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { evaluateEvidence } from './evaluation.ts';
import { attemptOf, SCENARIO_STATUSES, scenarioOf } from './scenarios.ts';
import { EvaluationView, viewEvaluation } from './schemas.ts';

const AssertionInput = z.strictObject({
  name: text(200),
  expected: z.unknown(),
  actual: z.unknown(),
  passed: z.boolean(),
});

/**
 * Spec 3. `request_id` is the correlation id in the system under test and no idempotency key: every accepted call
 * stores one item.
 */
export const verifySubmitEvidence = defineOperation({
  name: 'verify_submit_evidence',
  summary: 'Give evidence on an open attempt; no secrets.',
  rest: 'POST verify/evidence',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({
    scenario_id: text(60),
    attempt: z.int().min(1),
    kind: z.enum(EVIDENCE_KINDS),
    claim: text(1_000).describe('What it shows.'),
    summary: LongText.describe('What you saw.'),
    request_id: text(200).describe('Correlation id, the same on both sides.'),
    assertions: z.array(AssertionInput).max(100).optional(),
  }),
  output: z.strictObject({
    scenario_id: z.string(),
    attempt: z.int(),
    status: z.enum(SCENARIO_STATUSES),
    commit: z.string(),
    evaluation: EvaluationView,
  }),
  errors: ['UNKNOWN_RECORD', 'ATTEMPT_CLOSED', 'LIMIT_EXCEEDED'],

  decide(state, { assertions = [], ...input }, { role }, { limits }) {
    const open = attemptOf(scenarioOf(state, input.scenario_id), input.attempt);
    refuseCredentials({ ...input, assertions }, 'likely');
    if (!isBuilder(role)) return [];
    if (open.evidence.filter(({ by }) => by === role).length >= limits.evidencePerAttempt)
      fail(
        'LIMIT_EXCEEDED',
        `You already gave ${limits.evidencePerAttempt} items for this attempt; that is the limit for each agent.`,
        {
          limit: limits.evidencePerAttempt,
        },
      );
    const stored = assertions.map(({ expected = null, actual = null, ...rest }) => ({ ...rest, expected, actual }));
    const commit = state.verify.handshakes[role]?.commit ?? open.commits[role];
    return [{ kind: 'evidence.submitted', data: { ...input, assertions: stored, commit } }];
  },

  reply(state, { scenario_id, attempt }, { events: [event] }) {
    const { test, status, record } = scenarioOf(state, scenario_id);
    const own = record.attempts.find(({ number }) => number === attempt);
    const evaluation = evaluateEvidence(own?.evidence ?? [], test.evidence_policy);
    return {
      scenario_id,
      attempt,
      status,
      commit: String(Object(event?.data).commit),
      evaluation: viewEvaluation(evaluation),
    };
  },
});
