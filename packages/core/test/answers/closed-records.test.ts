import { describe, expect, test } from 'vitest';
import { domain } from '../../src/areas/domain.ts';
import { encodeState } from '../../src/kernel/log/persistent-collections.ts';
import { prepareEvents } from '../../src/kernel/session/append.ts';
import { given, type OperationName, type PastEvent } from '../../src/testing/index.ts';
import {
  accepted,
  directed,
  intervened,
  interventionWithdrawn,
  proposed,
  rejected,
  responded,
  substantiated,
  withdrawn,
} from '../past.ts';

const first = { kind: 'file', reference: 'src/a.ts:1', excerpt: 'const a = 1;' };
const second = { kind: 'log', reference: 'run 2', excerpt: 'a = 2' };
const evidence = [first];

const CRITERIA = 'A rollback that was tried.';
const raised = (finding_id: string): PastEvent => ({
  kind: 'finding.raised',
  actor: 'moderator',
  data: {
    finding_id,
    text: 'It leaks.',
    moderated: { category: 'SAFETY', severity: 'HIGH', resolution_criteria: CRITERIA, target_agents: ['agent_a'] },
    blocking: true,
    target: '/tasks/0',
    evidence,
    revision_id: null,
  },
});
const answeredFinding = (finding_id: string, response: string): PastEvent => ({
  kind: 'finding.responded',
  actor: 'agent_a',
  data: { finding_id, decision: 'REJECT', response, fixed_in: null },
});
const resolved = (finding_id: string, outcome: 'RESOLVED' | 'WITHDRAWN'): PastEvent => ({
  kind: 'finding.resolved',
  actor: 'moderator',
  data: { finding_id, outcome },
});
const recommended = (recommendation_id: string): PastEvent => ({
  kind: 'recommendation.made',
  actor: 'moderator',
  data: { recommendation_id, recommendation: 'PAUSE', text: 'Wait.', targets: ['agent_a'] },
});
const answeredRecommendation = (recommendation_id: string, decision: 'ACCEPT' | 'REJECT'): PastEvent => ({
  kind: 'recommendation.answered',
  actor: 'owner',
  data: { recommendation_id, decision, note: 'Not now.' },
});
const ofTheModerator = (event: PastEvent): PastEvent => ({ ...event, actor: 'moderator' });

/**
 * Events that close records: d_1, d_2, d_3, f_1, i_1, i_2 and rec_1 without effect; d_4, f_2 and rec_2 with effect.
 */
const past: readonly PastEvent[] = [
  proposed('agent_a', 'd_1', { evidence, in_turn: true }),
  substantiated('agent_b', 'd_1', [second], true),
  accepted('agent_b', 'd_1'),
  proposed('agent_b', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' }),
  withdrawn('agent_b', 'd_2'),
  proposed('agent_a', 'd_3', { topic: 'Port', position: '8080' }),
  rejected('agent_b', 'd_3'),
  proposed('agent_a', 'd_4', { topic: 'Key', position: 'capture_id', evidence }),
  accepted('agent_a', 'd_4'),
  accepted('agent_b', 'd_4'),
  raised('f_1'),
  answeredFinding('f_1', 'It is there.'),
  answeredFinding('f_1', 'It was there.'),
  resolved('f_1', 'WITHDRAWN'),
  raised('f_2'),
  answeredFinding('f_2', 'Mended.'),
  resolved('f_2', 'RESOLVED'),
  ofTheModerator(intervened('i_1', { evidence })),
  responded('agent_a', 'i_1', 'We do.'),
  ofTheModerator(interventionWithdrawn('i_1')),
  directed('i_2'),
  interventionWithdrawn('i_2'),
  recommended('rec_1'),
  answeredRecommendation('rec_1', 'REJECT'),
  recommended('rec_2'),
  answeredRecommendation('rec_2', 'ACCEPT'),
];

type Reader = 'agent_a' | 'agent_b' | 'moderator' | 'owner';
type Records = readonly Readonly<Record<string, unknown>>[];

const records = (reader: Reader, operation: OperationName, input: object, list: string): Records =>
  Object(
    given(past)
      .when(operation, input as never, reader)
      .reply(),
  )[list];

const D_1 = {
  decision_id: 'd_1',
  topic: 'Store',
  status: 'SUPERSEDED',
  active: false,
  proposed_by: 'agent_a',
  accepted_by: ['agent_b'],
  revision: 1,
  supersedes: null,
  reason: null,
  proposed_at: '2026-01-05T09:00:00.000Z',
};
/** Members of d_1 that only the owner's answer contains. */
const REPLACED = { superseded_by: 'd_2' };
const F_1 = {
  finding_id: 'f_1',
  status: 'WITHDRAWN',
  raised_by: 'moderator',
  kind: null,
  category: 'SAFETY',
  severity: 'HIGH',
  target_agents: ['agent_a'],
  blocking: true,
  target: '/tasks/0',
  revision_id: null,
  override_reason: null,
  raised_at: '2026-01-05T09:00:00.000Z',
};
const ANSWER = { by: 'agent_a', decision: 'REJECT', fixed_in: null, responded_at: '2026-01-05T09:00:00.000Z' };

describe('a record that was closed without effect', () => {
  test.each(['agent_a', 'moderator'] as const)('%s › list_decisions says how a decision ended', (reader) => {
    const ended = { active: false, proposed_by: 'agent_a', accepted_by: [] };
    const shown = records(reader, 'list_decisions', {}, 'decisions');
    expect(shown.slice(0, 3)).toEqual([
      { ...ended, decision_id: 'd_1', topic: 'Store', status: 'SUPERSEDED', accepted_by: ['agent_b'], reason: null },
      {
        ...ended,
        decision_id: 'd_2',
        topic: 'Store',
        status: 'WITHDRAWN',
        proposed_by: 'agent_b',
        reason: 'Outdated.',
      },
      { ...ended, decision_id: 'd_3', topic: 'Port', status: 'REJECTED', reason: 'Too slow.' },
    ]);
    expect(shown[3]).toMatchObject({ status: 'RESOLVED', position: 'capture_id' });
  });

  test.each([
    ['owner', 'view', 'decisions', {}],
    ['owner', 'records', 'records', { type: 'decision' }],
  ] as const)('%s › %s lists decisions without position and evidence', (reader, operation, list, input) => {
    const shown = records(reader, operation, input, list);
    expect(shown[0]).toEqual({ ...D_1, position: null, evidence: [], superseded_by: 'd_2' });
    expect(shown.slice(1)).toMatchObject([
      { status: 'WITHDRAWN', reason: 'Outdated.', position: null, evidence: [] },
      { status: 'REJECTED', reason: 'Too slow.', position: null, evidence: [] },
      { status: 'RESOLVED', position: 'capture_id', evidence: [{ kind: 'file', reference: 'src/a.ts:1' }] },
    ]);
  });

  test.each([
    ['agent_b', 'list_findings', 'findings', {}],
    ['moderator', 'get_moderator_findings', 'findings', {}],
    ['owner', 'view', 'findings', {}],
    ['owner', 'records', 'records', { type: 'finding' }],
  ] as const)('%s › %s lists findings without texts and evidence', (reader, operation, list, input) => {
    const [withdrawnOne, resolvedOne] = records(reader, operation, input, list);
    expect(withdrawnOne).toEqual({
      ...F_1,
      text: null,
      resolution_criteria: null,
      evidence: [],
      response: { ...ANSWER, response: null },
    });
    expect(resolvedOne).toMatchObject({
      text: 'It leaks.',
      resolution_criteria: CRITERIA,
      evidence: [{ kind: 'file', reference: 'src/a.ts:1' }],
      response: { response: 'Mended.' },
    });
  });

  test.each([
    ['moderator', 'get_moderator_questions', 'questions', {}],
    ['owner', 'view', 'interventions', {}],
    ['owner', 'records', 'records', { type: 'intervention' }],
  ] as const)('%s › %s lists interventions without texts and evidence', (reader, operation, list, input) => {
    expect(records(reader, operation, input, list)[0]).toMatchObject({
      intervention_id: 'i_1',
      text: null,
      evidence: [],
      responses: [
        { role: 'agent_a', status: 'ANSWERED', text: null, at: '2026-01-05T09:00:00.000Z' },
        { role: 'agent_b', status: 'WITHDRAWN', text: null, at: null },
      ],
    });
  });

  test('the owner lists a rejected recommendation without its text', () => {
    expect(records('owner', 'view', {}, 'recommendations')).toMatchObject([
      { recommendation: 'PAUSE', text: null, answer: { decision: 'REJECT', note: 'Not now.' } },
      { recommendation: 'PAUSE', text: 'Wait.', answer: { decision: 'ACCEPT' } },
    ]);
  });

  test('is closed by a call whose answer shows what changed, without texts', () => {
    const withdraws = { decision_id: 'd_4', reason: 'Outdated.' };
    expect(given(past).when('withdraw_decision', withdraws, 'agent_a').reply().decision).toEqual({
      decision_id: 'd_4',
      status: 'WITHDRAWN',
      active: false,
      accepted_by: ['agent_a', 'agent_b'],
      supersedes: null,
    });
  });
});

describe('a record that was closed without effect, read by its id', () => {
  test.each([
    ['agent_b', 'list_decisions', 'decisions', { decision_id: 'd_1' }],
    ['moderator', 'list_decisions', 'decisions', { decision_id: 'd_1' }],
    ['owner', 'records', 'records', { type: 'decision', id: 'd_1' }],
  ] as const)('%s › %s gives a decision whole', (reader, operation, list, input) => {
    const whole = { ...D_1, position: 'PostgreSQL 15', evidence: [first, second], ...(reader === 'owner' && REPLACED) };
    expect(records(reader, operation, input, list)).toEqual([whole]);
  });

  test.each([
    ['agent_a', 'list_findings', 'findings', { finding_id: 'f_1' }],
    ['moderator', 'get_moderator_findings', 'findings', { finding_id: 'f_1' }],
    ['owner', 'records', 'records', { type: 'finding', id: 'f_1' }],
  ] as const)('%s › %s gives a finding whole', (reader, operation, list, input) => {
    expect(records(reader, operation, input, list)).toEqual([
      {
        ...F_1,
        text: 'It leaks.',
        resolution_criteria: CRITERIA,
        evidence,
        response: { ...ANSWER, response: 'It was there.' },
      },
    ]);
  });

  test.each([
    ['agent_b', 'list_interventions', 'interventions', { intervention_id: 'i_1' }],
    ['moderator', 'get_moderator_questions', 'questions', { intervention_id: 'i_1' }],
    ['owner', 'records', 'records', { type: 'intervention', id: 'i_1' }],
  ] as const)('%s › %s gives a question with its answers', (reader, operation, list, input) => {
    expect(records(reader, operation, input, list)).toMatchObject([
      {
        text: 'Who owns the schema?',
        evidence,
        responses: [
          { role: 'agent_a', status: 'ANSWERED', text: 'We do.' },
          { role: 'agent_b', status: 'WITHDRAWN', text: null },
        ],
      },
    ]);
  });

  test('gives a directive to the agent that it bound', () => {
    const [directive] = records('agent_a', 'list_interventions', { intervention_id: 'i_2' }, 'interventions');
    expect(directive).toMatchObject({ status: 'WITHDRAWN', text: 'Keep the API.' });
  });

  test('gives the owner a recommendation', () => {
    expect(records('owner', 'records', { type: 'recommendation', id: 'rec_1' }, 'records')).toMatchObject([
      { recommendation_id: 'rec_1', text: 'Wait.', answer: { decision: 'REJECT' } },
    ]);
  });
});

describe('the folded state', () => {
  const numbers = Array.from({ length: 500 }, (_, index) => index + 1);
  const weightOf = async (events: readonly PastEvent[]): Promise<number> => {
    const folded = events.reduce(
      (state, event) => prepareEvents(domain, state, [event], 0).state,
      domain.empty('SessionOfTheWeightTests'),
    );
    return (await encodeState(folded)).length;
  };

  test('keeps none of the texts of 500 superseded positions', async () => {
    const supersessions = numbers.map((number) =>
      proposed('agent_a', `d_${number}`, {
        position: `${number} ${'p'.repeat(8_000)}`,
        evidence,
        revision: number,
        ...(number > 1 ? { supersedes: `d_${number - 1}` } : {}),
      }),
    );
    expect(await weightOf(supersessions)).toBeLessThan(180_000);
  });

  test('keeps none of the texts of 500 withdrawn findings', async () => {
    const withdrawals = numbers.flatMap((number) => [
      raised(`f_${number}`),
      answeredFinding(`f_${number}`, `${number} ${'r'.repeat(8_000)}`),
      resolved(`f_${number}`, 'WITHDRAWN'),
    ]);
    expect(await weightOf(withdrawals)).toBeLessThan(315_000);
  });

  test('keeps none of the texts of 500 withdrawn questions', async () => {
    const withdrawals = numbers.flatMap((number) => [
      intervened(`i_${number}`, { text: `${number} ${'q'.repeat(8_000)}`, evidence }),
      responded('agent_a', `i_${number}`, `${number} ${'a'.repeat(8_000)}`),
      interventionWithdrawn(`i_${number}`),
    ]);
    expect(await weightOf(withdrawals)).toBeLessThan(315_000);
  });

  test('keeps number and status of attempts on a manifest that was sent back', async () => {
    const scenario_id = 'test-reserve';
    const commits = { agent_a: 'a'.repeat(40), agent_b: 'b'.repeat(40) };
    const attempts = numbers.slice(0, 200).flatMap((attempt): PastEvent[] => [
      { kind: 'attempt.started', actor: 'agent_a', data: { scenario_id, attempt, commits } },
      {
        kind: 'verdict.given',
        actor: 'agent_b',
        data: { scenario_id, attempt, verdict: 'FAIL', note: `${attempt} ${'n'.repeat(4_000)}` },
      },
    ]);
    const sentBack: PastEvent = {
      kind: 'changes.requested',
      actor: 'owner',
      data: { reason: 'Name the error.', revision_id: 'r_1' },
    };
    expect(await weightOf([...attempts, sentBack])).toBeLessThan(25_000);
  });
});
