import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH, SAMPLE_MAPPINGS } from '../contract/sample-contract.ts';
import { describeRead, describeWrite } from '../gates.ts';
import { approved, play, ready, receipts, received, review, rightReport, submit as submitRevision } from '../story.ts';

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
    expect(receipts_missing).toHaveLength(3);
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
      issues: [{ path: 'answers', message: `No answer to question ${left}.` }],
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
      issues: [{ path: 'answers[8].question_id', message: 'Is not one of your readiness questions.' }],
    });
    submit({ ...right, answers: [...right.answers, first] }).thenFails('INVALID_INPUT');
  });

  test('BLOCKED needs blockers and records what does not fit', () => {
    submit({ ...right, verdict: 'BLOCKED' }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'blockers', message: 'Name what prevents you from coding.' }],
    });
    const report = { ...right, verdict: 'BLOCKED', fixture_version: '2', answers: [], blockers: ['No staging.'] };
    expect(submit(report, approved).reply().readiness).toMatchObject([
      {
        by: 'agent_b',
        verdict: 'BLOCKED',
        blockers: ['No staging.'],
        mismatches: [
          'fixture_version',
          'shared-contract.json',
          'handoff-agent-b.md',
          'reservation-cases.json',
          'rq_1',
          'rq_2',
          'rq_3',
          'rq_4',
          'rq_5',
          'rq_6',
          'rq_7',
          'rq_8',
        ],
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
});

const first = play(received, [['agent_a', 'submit_readiness', rightReport(received, 'agent_a')]]);
const blocked = play(received, [
  [
    'agent_a',
    'submit_readiness',
    {
      ...rightReport(received, 'agent_a'),
      verdict: 'BLOCKED',
      blockers: ['No staging.'],
      answers: [{ question_id: 'rq_7', answer: 'Nothing before staging is there.' }],
    },
  ],
]);
const AGENTS = ['agent_a', 'agent_b', 'moderator'] as const;

/** The answers in each report of the transcript, by question; null where they are withheld. */
const inTranscript = (past: readonly PastEvent[], role: (typeof AGENTS)[number] | 'owner') => {
  const messages =
    role === 'owner'
      ? given(past).when('transcript', { after: 20 }, role).reply().messages
      : given(past).when('read_messages', { after: 20 }, role).reply().messages;
  return messages.filter(({ kind }) => kind === 'readiness.submitted').map(({ body }) => body.answers ?? null);
};
const inFeed = (past: readonly PastEvent[]) =>
  given(past)
    .when('get_session_events', { after: 20, limit: 100 }, 'moderator')
    .reply()
    .events.filter(({ kind }) => kind === 'readiness.submitted')
    .map(({ data }) => data.answers ?? null);
const inQuestions = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b') =>
  given(past)
    .when('get_readiness_questions', {}, role)
    .reply()
    .readiness.map(({ answers }) => answers ?? null);

const HANDOFFS = [right, rightReport(received, 'agent_a')].map(({ answers }) => String(answers[5]?.answer));
const [HANDOFF_B, HANDOFF_A] = HANDOFFS;
const OF_A = [
  { question_id: 'rq_1', answer: 'task-orders' },
  { question_id: 'rq_2', answer: 'none' },
  { question_id: 'rq_3', answer: 'reservations' },
  { question_id: 'rq_4', answer: 'test-reserve' },
  { question_id: 'rq_5', answer: '1' },
  { question_id: 'rq_6', answer: HANDOFF_A },
  { question_id: 'rq_7', answer: 'The first; I wait for the other.' },
  { question_id: 'rq_8', answer: 'The public API stays.' },
];
const OF_B = [
  { question_id: 'rq_1', answer: 'task-stock' },
  { question_id: 'rq_2', answer: 'reservations' },
  { question_id: 'rq_3', answer: 'none' },
  { question_id: 'rq_4', answer: 'test-expiry' },
  { question_id: 'rq_5', answer: '1' },
  { question_id: 'rq_6', answer: HANDOFF_B },
  { question_id: 'rq_7', answer: 'The first; I wait for the other.' },
  { question_id: 'rq_8', answer: 'The public API stays.' },
];

describe('the answers of a readiness report', () => {
  test('are withheld from the agents until both builders are ready', () => {
    for (const past of [first, blocked]) {
      for (const role of AGENTS) expect(inTranscript(past, role)).toEqual([null]);
      expect(inFeed(past)).toEqual([null]);
      for (const role of ['agent_a', 'agent_b'] as const) expect(inQuestions(past, role)).toEqual([null]);
    }
  });

  test('are shown to all agents once both builders are ready', () => {
    for (const role of AGENTS) expect(inTranscript(ready, role)).toEqual([OF_A, OF_B]);
    for (const role of ['agent_a', 'agent_b'] as const) expect(inQuestions(ready, role)).toEqual([OF_A, OF_B]);
  });

  test('are left out of the feed of the moderator, which reads them in the transcript', () => {
    expect(inFeed(ready)).toEqual([null, null]);
  });

  test('are shown with those of the reports that they replaced', () => {
    const past = play(blocked, [
      ['agent_a', 'submit_readiness', rightReport(received, 'agent_a')],
      ['agent_b', 'submit_readiness', right],
    ]);
    expect(inTranscript(past, 'agent_b')).toEqual([
      [{ question_id: 'rq_7', answer: 'Nothing before staging is there.' }],
      OF_A,
      OF_B,
    ]);
    expect(inQuestions(past, 'agent_b')).toEqual([OF_A, OF_B]);
  });

  test('are withheld again for a report that comes after both were ready, until both are ready anew', () => {
    const ill = {
      ...right,
      verdict: 'BLOCKED',
      blockers: ['Ill.'],
      answers: [{ question_id: 'rq_8', answer: 'None.' }],
    };
    const past = play(ready, [['agent_b', 'submit_readiness', ill]]);
    expect(inTranscript(past, 'agent_a')).toEqual([OF_A, OF_B, null]);
    expect(inQuestions(past, 'agent_a')).toEqual([OF_A, null]);
    const well = play(past, [['agent_b', 'submit_readiness', right]]);
    expect(inTranscript(well, 'agent_a')).toEqual([OF_A, OF_B, [{ question_id: 'rq_8', answer: 'None.' }], OF_B]);
  });

  test('of an earlier manifest stay shown, those of the next are withheld', () => {
    const next = play(ready, [
      ['owner', 'requestChanges', { reason: 'Name the error.' }],
      submitRevision('r_1'),
      ['agent_a', 'submit_preflight', { mappings: SAMPLE_MAPPINGS }],
      review('agent_a', 'APPROVE', 'r_2'),
      review('agent_b', 'APPROVE', 'r_2'),
      ['owner', 'approveContract', { revision_id: 'r_2', content_hash: SAMPLE_HASH }],
    ]);
    const all = play(next, [...receipts(next, 'agent_a'), ...receipts(next, 'agent_b')]);
    const past = play(all, [['agent_a', 'submit_readiness', { ...rightReport(all, 'agent_a'), revision_id: 'r_2' }]]);
    expect(inTranscript(past, 'agent_b').map((answers) => answers !== null)).toEqual([true, true, false]);
    expect(inQuestions(past, 'agent_b')).toEqual([null]);
  });

  test('are shown to the owner at once, each with its question', () => {
    expect(inTranscript(first, 'owner')).toEqual([OF_A]);
    const { readiness } = given(first).when('view', {}, 'owner').reply();
    expect(readiness.map(({ by, answers }) => [by, answers.length])).toEqual([['agent_a', 8]]);
    expect(readiness[0]?.answers.slice(5)).toEqual([
      {
        question_id: 'rq_6',
        text: 'What is the sha256 of your handoff-agent-a.md?',
        kind: 'exact',
        answer: HANDOFF_A,
      },
      {
        question_id: 'rq_7',
        text: 'Which of your tasks comes first, and for what do you wait for the other agent?',
        kind: 'free',
        answer: 'The first; I wait for the other.',
      },
      {
        question_id: 'rq_8',
        text: 'Which guardrail or safety condition is the easiest to break in your part, and how do you keep it?',
        kind: 'free',
        answer: 'The public API stays.',
      },
    ]);
    expect(given(blocked).when('view', {}, 'owner').reply().readiness[0]?.answers).toMatchObject([
      { question_id: 'rq_7', kind: 'free', answer: 'Nothing before staging is there.' },
    ]);
  });

  test('are not repeated to whoever reports', () => {
    const { readiness } = submit(right, first).reply();
    for (const report of readiness) expect(report).not.toHaveProperty('answers');
  });
});
