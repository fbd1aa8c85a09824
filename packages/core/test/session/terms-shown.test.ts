import { describe, expect, test } from 'vitest';
import { domain } from '../../src/areas/domain.ts';
import { questionsFor } from '../../src/areas/manifest/readiness.ts';
import type { SessionState } from '../../src/areas/state.ts';
import { decisionFacts, missionFacts } from '../../src/areas/validation/validate.ts';
import type { ToolName } from '../../src/client/calls.ts';
import { ERROR_KINDS, type ErrorCode } from '../../src/kernel/errors.ts';
import { prepareEvents } from '../../src/kernel/session/append.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { openingEvents } from '../../src/testing/opening-events.ts';
import { approved, certified, decided, submitted } from '../story.ts';

const BUILDERS = ['agent_a', 'agent_b'] as const;
type Builder = (typeof BUILDERS)[number];

const session = {
  fixture_version: 'fixture-of-the-session',
  requirements: [{ requirement_id: 'requirement-of-the-session', text: 'It is shown.' }],
  agenda: {
    topics: [{ topic: 'topic-of-the-session', question: 'Is it shown?' }],
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
    scenarios: [{ id: 'scenario-of-the-session', title: 'T', given: 'G', when: 'W', then: 'T', requirements: [] }],
  },
};

const read = (by: Builder, name: ToolName, past: readonly PastEvent[] = [], input = {}): string =>
  JSON.stringify(
    given(past, { session: past.length === 0 ? session : {} })
      .when(name, input as never, by)
      .reply(),
  );

function stateOf(past: readonly PastEvent[], facts = {}): SessionState {
  let state = domain.empty('s');
  for (const event of [...openingEvents(facts), ...past])
    state = prepareEvents(domain, state, [event], Date.parse('2026-01-05T09:00:00Z')).state;
  return state;
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

/**
 * Refusals that compare an input with a value of the session, and the read that shows this value to a builder. `NOT_COMPARED` lists
 * the other refusals.
 */
const COMPARED = {
  STALE_PARENT: { past: submitted, name: 'read_session_state', value: '"revision_id":"r_1"' },
  STALE_REVISION: { past: submitted, name: 'read_session_state', value: '"revision_id":"r_1"' },
  HASH_MISMATCH: { past: submitted, name: 'read_session_state', value: '"content_hash":"a0e78497c362cc69' },
  PREFLIGHT_INVALID: { past: decided, name: 'get_preflight', value: '"requirement_id":"R1"' },
  CHECKSUM_MISMATCH: { past: approved, name: 'list_artifacts', value: '"sha256":"' },
  RECEIPTS_MISSING: {
    past: approved,
    name: 'get_readiness_questions',
    value: '"receipts_missing":["handoff-agent-',
  },
  MANIFEST_MISMATCH: { past: approved, name: 'list_artifacts', value: '"handshake_sha256":"' },
  FIXTURE_MISMATCH: { past: approved, name: 'read_task', value: '"fixture_version":"1"' },
  NOT_CERTIFIED: { past: certified, name: 'list_blockers', value: '"blockers":[]' },
} as const satisfies Partial<
  Record<ErrorCode, { readonly past: readonly PastEvent[]; readonly name: ToolName; readonly value: string }>
>;

const NOT_COMPARED: readonly ErrorCode[] = [
  'GROUNDS_CHANGED',
  'INVALID_JSON',
  'ISSUER_UNAVAILABLE',
  'UNSUPPORTED_ENCODING',
  'BODY_TOO_LARGE',
  'BATCH_FULL',
  'INVALID_INPUT',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'CROSS_SITE_REFUSED',
  'HOST_NOT_SERVED',
  'UNAUTHORIZED',
  'TOKEN_REVOKED',
  'TOKEN_EXPIRED',
  'INVITATION_INVALID',
  'WRONG_SESSION',
  'MODERATOR_FORBIDDEN',
  'BUILDER_FORBIDDEN',
  'MODERATOR_STOPPED',
  'MODERATOR_NOT_ENTITLED',
  'INSUFFICIENT_SCOPE',
  'PERMISSION_DENIED',
  'ROLE_FORBIDDEN',
  'UNKNOWN_RECORD',
  'SESSION_NOT_ACTIVE',
  'SESSION_ENDED',
  'WRONG_PHASE',
  'INVALID_TRANSITION',
  'NOT_YOUR_TURN',
  'ROUND_LIMIT_REACHED',
  'NO_TURN_YET',
  'IDEMPOTENCY_CONFLICT',
  'ALREADY_ANSWERED',
  'INTERVENTION_CLOSED',
  'ACTION_CLOSED',
  'NOT_PROPOSER',
  'OWN_PROPOSAL',
  'DECISION_CLOSED',
  'POSITION_CHANGED',
  'NOT_CONTRACT_AUTHOR',
  'PATCH_FAILED',
  'NOT_TECHNICAL_REVIEWER',
  'NOT_RAISER',
  'FINDING_CLOSED',
  'HOLD_ACTIVE',
  'HOLD_CLOSED',
  'NOT_READY',
  'NO_MANIFEST',
  'ARTIFACT_NOT_ASSIGNED',
  'READINESS_ANSWERS_WRONG',
  'PRODUCTION_REFUSED',
  'HANDSHAKE_INCOMPLETE',
  'HANDSHAKE_NOT_READY',
  'DEPENDENCY_NOT_PASSED',
  'NOT_ASSIGNED',
  'ATTEMPT_CLOSED',
  'SELF_VERIFICATION',
  'EVIDENCE_POLICY_UNMET',
  'DEFECT_OPEN',
  'DEFECT_CLOSED',
  'NOT_ASSIGNEE',
  'NEW_COMMIT_REQUIRED',
  'CERTIFICATION_INCOMPLETE',
  'CREDENTIAL_REJECTED',
  'LIMIT_EXCEEDED',
  'QUOTA_EXHAUSTED',
  'CONFLICT',
  'SHUTTING_DOWN',
  'STORAGE_UNAVAILABLE',
  'LOG_BROKEN',
  'INTERNAL',
];

describe.each(BUILDERS)('what the input of %s is compared with', (by) => {
  test('about the mission, by the validation rules, is shown by read_task', () => {
    const facts = textsIn(missionFacts(stateOf([], { session })));
    expect(facts).toEqual(['requirement-of-the-session', 'scenario-of-the-session', 'fixture-of-the-session']);
    const task = read(by, 'read_task');
    expect(facts.filter((fact) => !task.includes(fact))).toEqual([]);
  });

  test('about the agenda, by the validation rules, is shown by read_task', () => {
    const { topics } = decisionFacts(stateOf([], { session }));
    expect(topics).toEqual([{ topic: 'topic-of-the-session', decision_id: null }]);
    expect(read(by, 'read_task')).toContain('"topic":"topic-of-the-session"');
  });

  test('about the decisions, by the validation rules, is shown by list_decisions', () => {
    expect(read(by, 'list_decisions', decided)).toContain('"decision_id":"d_1"');
  });

  test.each(['revision_id', 'content_hash', 'handshake_sha256', 'shared_contract_sha256', 'fixture_version'] as const)(
    'as %s of a readiness report is shown by get_readiness_questions',
    (name) => {
      const value = stateOf(approved).manifest.current?.[name] ?? '';
      expect(value.length).toBeGreaterThan(0);
      expect(read(by, 'get_readiness_questions', approved)).toContain(`"${name}":"${value}"`);
    },
  );

  test('as the exact answer of an earlier readiness question is shown in a file of its own or by list_artifacts', () => {
    const state = stateOf(approved.map(withoutQuestions));
    const expected = questionsFor(state, by).flatMap((question) => question.expected ?? []);
    expect(expected.length).toBeGreaterThan(3);
    const filename = 'shared-contract.json';
    const shown = `${read(by, 'fetch_artifact', approved, { filename })}${read(by, 'list_artifacts', approved)}`;
    expect(expected.filter((value) => !shown.includes(value))).toEqual([]);
  });

  test.each(Object.entries(COMPARED))(
    'by the refusal %s is shown by a read before it',
    (_code, { past, name, value }) => {
      expect(read(by, name, past)).toContain(value);
    },
  );
});

test('every error code is known to compare an input with a value of the session, or not to', () => {
  const known = [...Object.keys(COMPARED), ...NOT_COMPARED];
  expect(Object.keys(ERROR_KINDS).filter((code) => !known.includes(code))).toEqual([]);
});

/** Converts an event to the form in which an earlier version of Parley stored it: without readiness questions. */
function withoutQuestions(event: PastEvent): PastEvent {
  if (event.kind !== 'contract.approved') return event;
  const { questions: _, ...data } = Object(event.data);
  return { ...event, data };
}
