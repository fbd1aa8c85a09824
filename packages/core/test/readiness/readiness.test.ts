import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { describeRead, describeWrite } from '../gates.ts';
import { approved, play, ready, receipts, received, rightReport } from '../story.ts';

const right = rightReport(received, 'agent_b');
const submit = (input: object, past = received) => given(past).when('submit_readiness', input as never, 'agent_b');
const answering = (question_id: string, answer: string) => ({
  ...right,
  answers: right.answers.map((given) => (given.question_id === question_id ? { question_id, answer } : given)),
});

describe('get_readiness_questions', () => {
  describeRead('get_readiness_questions', { scope: 'get_final_plan' });

  test('has nothing before the approval', () => {
    expect(given().when('get_readiness_questions', {}, 'agent_a').reply()).toEqual({
      manifest_id: null,
      revision_id: null,
      content_hash: null,
      shared_contract_sha256: null,
      handshake_sha256: null,
      fixture_version: null,
      receipts_missing: [],
      questions: [],
      readiness: [],
    });
  });

  test('asks what the own handoff says', () => {
    const { questions, receipts_missing } = given(approved).when('get_readiness_questions', {}, 'agent_b').reply();
    expect(questions.map(({ question_id, kind }) => `${question_id} ${kind}`)).toEqual([
      'rq_1 exact',
      'rq_2 exact',
      'rq_3 exact',
      'rq_4 exact',
      'rq_5 exact',
      'rq_6 exact',
      'rq_7 free',
      'rq_8 free',
    ]);
    expect(receipts_missing).toHaveLength(6);
    expect(JSON.stringify(questions)).not.toContain('task-stock');
  });
});

describe('submit_readiness', () => {
  describeWrite('submit_readiness', {
    past: received,
    input: right,
    scope: 'submit_final_review',
    phases: ['READINESS'],
  });

  test('READY_TO_CODE from both makes ready', () => {
    expect(submit(right).reply()).toMatchObject({ both_ready: false, readiness: [{ by: 'agent_b' }] });
    const past = play(received, [['agent_a', 'submit_readiness', rightReport(received, 'agent_a')]]);
    expect(submit(right, past).reply()).toMatchObject({ both_ready: true });
  });

  test('needs every receipt, by name', () => {
    const most = play(approved, receipts(approved, 'agent_b').slice(1));
    submit(right, most).thenFails('RECEIPTS_MISSING', { filenames: ['shared-contract.json'] });
  });

  test.each([
    ['revision_id', 'r_2'],
    ['content_hash', 'f'.repeat(64)],
    ['handshake_sha256', 'f'.repeat(64)],
    ['shared_contract_sha256', 'f'.repeat(64)],
    ['fixture_version', '2'],
  ])('refuses another %s by name', (field, value) => {
    submit({ ...right, [field]: value }).thenFails('MANIFEST_MISMATCH', { fields: [field] });
  });

  test.each(right.answers.map(({ question_id }) => question_id))('needs an answer to %s', (left) => {
    const answers = right.answers.filter(({ question_id }) => question_id !== left);
    submit({ ...right, answers }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'answers', message: `Leaves out question ${left}.` }],
    });
  });

  test.each([
    ['rq_1', 'task-orders'],
    ['rq_1', 'task-stock, task-orders'],
    ['rq_2', 'none'],
    ['rq_3', 'reservations'],
    ['rq_4', 'test-reserve'],
    ['rq_5', '1.0'],
    ['rq_6', 'f'.repeat(64)],
    ['rq_1', ', ,'],
  ])('names %s when its answer is %j, and nothing that would be right', (question_id, answer) => {
    const refusal = submit(answering(question_id, answer)).refusal();
    expect(refusal).toMatchObject({ error: 'READINESS_ANSWERS_WRONG', question_ids: [question_id] });
    for (const secret of ['task-stock', 'reservations', 'test-expiry', String(right.answers[5]?.answer)])
      expect(JSON.stringify(refusal)).not.toContain(secret);
  });

  test.each([
    ['rq_1', ' TASK-STOCK '],
    ['rq_1', 'task-stock,\r\ntask-stock\n'],
    ['rq_3', 'None'],
    ['rq_6', String(right.answers[5]?.answer).toUpperCase()],
  ])('takes %s answered with %j', (question_id, answer) => {
    submit(answering(question_id, answer)).reply();
  });

  test('refuses an answer to no question, and two to one', () => {
    const [first] = right.answers;
    submit({ ...right, answers: [...right.answers, { question_id: 'rq_9', answer: 'x' }] }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'answers[8].question_id', message: 'Is no readiness question of yours.' }],
    });
    submit({ ...right, answers: [...right.answers, first] }).thenFails('INVALID_INPUT');
  });

  test('BLOCKED needs blockers and records what does not fit', () => {
    submit({ ...right, verdict: 'BLOCKED' }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'blockers', message: 'Name what keeps you from coding.' }],
    });
    const report = { ...right, verdict: 'BLOCKED', fixture_version: '2', answers: [], blockers: ['No staging.'] };
    expect(submit(report, approved).reply().readiness).toMatchObject([
      {
        by: 'agent_b',
        verdict: 'BLOCKED',
        blockers: ['No staging.'],
        mismatches: expect.arrayContaining(['fixture_version', 'contract.md', 'rq_1']),
      },
    ]);
  });

  test('READY_TO_CODE has no blockers', () => {
    submit({ ...right, blockers: ['No staging.'] }).thenFails('INVALID_INPUT');
  });

  test('a later report replaces the earlier', () => {
    const past = play(ready, [['agent_b', 'submit_readiness', { ...right, verdict: 'BLOCKED', blockers: ['Ill.'] }]]);
    given(past)
      .when('authorize', { stage: 'build' }, 'owner')
      .thenFails('NOT_READY', { waiting_for: ['agent_b'] });
  });

  test("keeps one agent's answers from the other", () => {
    const { messages } = given(ready).when('read_messages', {}, 'agent_a').reply();
    const reports = messages.filter(({ kind }) => kind === 'readiness.submitted');
    expect(reports).toHaveLength(2);
    for (const { body } of reports) expect(body).not.toHaveProperty('answers');
  });
});
