import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH, SAMPLE_MAPPINGS } from '../contract/sample-contract.ts';
import {
  approved,
  confirmation,
  play,
  ready,
  receipts,
  received,
  reported,
  review,
  rightReport,
  submit as submitRevision,
} from '../story.ts';

const right = rightReport(received, 'agent_b');
const submit = (input: object, past = received) => given(past).when('submit_readiness', input as never, 'agent_b');

/** Past events with a manifest as an earlier version of Parley stored it: without readiness questions. */
const earlier: readonly PastEvent[] = received.map((event) => {
  if (event.kind !== 'contract.approved') return event;
  const { questions: _, ...data } = Object(event.data);
  return { ...event, data };
});
const [, , HANDOFF_RECEIPT] = receipts(approved, 'agent_b')[1] ?? [];
const HANDOFF_HASH = String(Object(HANDOFF_RECEIPT).sha256);
const EXACT = ['task-stock', 'reservations', 'none', 'test-expiry', '1', HANDOFF_HASH, 'The first.', 'The public API.'];
const exact = { ...right, answers: EXACT.map((answer, index) => ({ question_id: `rq_${index + 1}`, answer })) };
const answering = (question_id: string, answer: string) => ({
  ...exact,
  answers: exact.answers.map((given) => (given.question_id === question_id ? { question_id, answer } : given)),
});

describe('get_readiness_questions', () => {
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
      verdicts: ['READY_TO_CODE', 'BLOCKED'],
      readiness: [],
    });
  });

  test('asks each builder about the interfaces that it provides or consumes', () => {
    const asked = (by: 'agent_a' | 'agent_b') => given(approved).when('get_readiness_questions', {}, by).reply();
    const guardrail =
      'Which guardrail or safety condition is the easiest to break in your part, and how do you keep it?';
    const format = { kind: 'free', answer_format: 'A sentence or two.' };
    expect(asked('agent_a').questions).toEqual([
      {
        question_id: 'rq_1',
        text: 'You consume reservations (/interfaces/0 of the contract) with 409: what does your side do on each outcome, what does it retry and how often, in which order does it make its calls, and which limits does it respect?',
        ...format,
      },
      { question_id: 'rq_2', text: guardrail, ...format },
    ]);
    expect(asked('agent_b').questions.map(({ text }) => text)).toEqual([
      'You provide reservations (/interfaces/0 of the contract): where the contract leaves it to you, what does a repeated call return, in which order are calls processed, and which limits apply?',
      guardrail,
    ]);
    expect(asked('agent_b').receipts_missing).toEqual(['handoff-agent-b.md', 'reservation-cases.json']);
  });

  test('keeps the earlier questions for a manifest that was frozen with them', () => {
    const { questions } = given(earlier).when('get_readiness_questions', {}, 'agent_b').reply();
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
    expect(JSON.stringify(questions)).not.toContain('task-stock');
  });
});

describe('submit_readiness', () => {
  test('makes the session ready after READY_TO_CODE of both builders', () => {
    expect(submit(right).reply()).toMatchObject({ both_ready: false, readiness: [{ by: 'agent_b' }] });
    const past = play(received, [['agent_a', 'submit_readiness', rightReport(received, 'agent_a')]]);
    expect(submit(right, past).reply()).toMatchObject({ both_ready: true });
  });

  test('requires every receipt, and names the missing ones', () => {
    const most = play(approved, receipts(approved, 'agent_b').slice(0, -1));
    submit(right, most).thenFails('RECEIPTS_MISSING', { filenames: ['reservation-cases.json'] });
  });

  test('confirms artifacts with the report', () => {
    const [first, ...rest] = receipts(approved, 'agent_b').map(([, , input]) => Object(input));
    const past = play(approved, [['agent_b', 'confirm_receipt', first]]);
    const hashes = Object.fromEntries(rest.map(({ filename, sha256 }) => [filename, sha256]));
    expect(submit({ ...right, receipts: hashes }, past).reply().readiness).toMatchObject([
      { verdict: 'READY_TO_CODE' },
    ]);
    const one = { [rest[0].filename]: rest[0].sha256 };
    submit({ ...right, receipts: one }, past).thenFails('RECEIPTS_MISSING', { filenames: [rest[1].filename] });
    submit({ ...right, receipts: { ...hashes, 'shared-contract.json': 'f'.repeat(64) } }, past).thenFails(
      'CHECKSUM_MISMATCH',
    );
    submit({ ...right, receipts: { 'handoff-agent-a.md': 'f'.repeat(64) } }, past).thenFails('ARTIFACT_NOT_ASSIGNED');
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
  ])('names %s if its answer is %j, but not the right answer', (question_id, answer) => {
    const refusal = submit(answering(question_id, answer), earlier).refusal();
    expect(refusal).toMatchObject({ error: 'READINESS_ANSWERS_WRONG', question_ids: [question_id] });
    for (const secret of ['task-stock', 'reservations', 'test-expiry', HANDOFF_HASH])
      expect(JSON.stringify(refusal)).not.toContain(secret);
  });

  test.each([
    ['rq_1', ' TASK-STOCK '],
    ['rq_1', 'task-stock,\r\ntask-stock\n'],
    ['rq_3', 'None'],
    ['rq_6', HANDOFF_HASH.toUpperCase()],
  ])('accepts %s answered with %j', (question_id, answer) => {
    submit(answering(question_id, answer), earlier).reply();
  });

  test('refuses an answer to an unknown question, and two answers to one question', () => {
    const [first] = right.answers;
    submit({ ...right, answers: [...right.answers, { question_id: 'rq_9', answer: 'x' }] }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'answers[2].question_id', message: 'Is not one of your readiness questions.' }],
    });
    submit({ ...right, answers: [...right.answers, first] }).thenFails('INVALID_INPUT');
  });

  test('requires blockers for BLOCKED, and records them', () => {
    submit({ ...right, verdict: 'BLOCKED' }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'blockers', message: 'Name what prevents you from coding.' }],
    });
    const report = { ...right, verdict: 'BLOCKED', fixture_version: '2', answers: [], blockers: ['No staging.'] };
    expect(submit(report, approved).reply().readiness).toMatchObject([
      {
        by: 'agent_b',
        verdict: 'BLOCKED',
        blockers: ['No staging.'],
        mismatches: ['fixture_version', 'handoff-agent-b.md', 'reservation-cases.json', 'rq_1', 'rq_2'],
      },
    ]);
  });

  test('refuses blockers for READY_TO_CODE', () => {
    submit({ ...right, blockers: ['No staging.'] }).thenFails('INVALID_INPUT');
  });

  test('replaces the earlier report', () => {
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
      answers: [{ question_id: 'rq_1', answer: 'Nothing before staging is there.' }],
    },
  ],
]);
const AGENTS = ['agent_a', 'agent_b', 'moderator'] as const;

/** The answers in each readiness report of the transcript; null for a report whose answers are hidden. */
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
/** For each report of the other builder: its answers with the ids of the questions; null if they are hidden. */
const inQuestions = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b') =>
  given(past)
    .when('get_readiness_questions', {}, role)
    .reply()
    .readiness.filter(({ by }) => by !== role)
    .map(({ answers }) => answers?.map(({ question_id, answer }) => ({ question_id, answer })) ?? null);

const OF_A = [
  { question_id: 'rq_1', answer: 'The side of agent_a: a 409 is tried again once.' },
  { question_id: 'rq_2', answer: 'The public API stays.' },
];
const OF_B = [
  { question_id: 'rq_1', answer: 'The side of agent_b: a 409 is tried again once.' },
  { question_id: 'rq_2', answer: 'The public API stays.' },
];

describe('the answers of a readiness report', () => {
  test('are withheld from the agents until both builders are ready', () => {
    for (const past of [first, blocked]) {
      for (const role of AGENTS) expect(inTranscript(past, role)).toEqual([null]);
      expect(inFeed(past)).toEqual([null]);
      expect(inQuestions(past, 'agent_b')).toEqual([null]);
    }
  });

  test('are shown to all agents once both builders are ready', () => {
    for (const role of AGENTS) expect(inTranscript(ready, role)).toEqual([OF_A, OF_B]);
    expect(inQuestions(ready, 'agent_a')).toEqual([OF_B]);
    expect(inQuestions(ready, 'agent_b')).toEqual([OF_A]);
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
      [{ question_id: 'rq_1', answer: 'Nothing before staging is there.' }],
      OF_A,
      OF_B,
    ]);
    expect(inQuestions(past, 'agent_b')).toEqual([OF_A]);
  });

  test('are withheld again for a report that comes after both were ready, until both are ready anew', () => {
    const ill = {
      ...right,
      verdict: 'BLOCKED',
      blockers: ['Ill.'],
      answers: [{ question_id: 'rq_2', answer: 'None.' }],
    };
    const past = play(ready, [['agent_b', 'submit_readiness', ill]]);
    expect(inTranscript(past, 'agent_a')).toEqual([OF_A, OF_B, null]);
    expect(inQuestions(past, 'agent_a')).toEqual([null]);
    const well = play(past, [['agent_b', 'submit_readiness', right]]);
    expect(inTranscript(well, 'agent_a')).toEqual([OF_A, OF_B, [{ question_id: 'rq_2', answer: 'None.' }], OF_B]);
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
    expect(readiness.map(({ by, answers }) => [by, answers.length])).toEqual([['agent_a', 2]]);
    expect(readiness[0]?.answers[0]?.text).toBe(
      'You consume reservations with 409: what does your side do on each outcome, what does it retry and how often, in which order does it make its calls, and which limits does it respect?',
    );
    expect(readiness[0]?.answers[1]).toEqual({
      question_id: 'rq_2',
      text: 'Which guardrail or safety condition is the easiest to break in your part, and how do you keep it?',
      kind: 'free',
      answer: 'The public API stays.',
      check: 'UNCHECKED',
    });
    expect(given(blocked).when('view', {}, 'owner').reply().readiness[0]?.answers).toMatchObject([
      { question_id: 'rq_1', kind: 'free', answer: 'Nothing before staging is there.' },
    ]);
  });

  test('are not repeated in the answer to the report', () => {
    const { readiness } = submit(right, first).reply();
    expect(readiness.find(({ by }) => by === 'agent_b')).not.toHaveProperty('answers');
  });
});

const build = (past: readonly PastEvent[]) => given(past).when('authorize', { stage: 'build' }, 'owner');
const dispute = (target: string, changes: object = {}) => ({
  text: 'A 409 is tried again by the schedule, not once.',
  target,
  ...changes,
});
/** agent_a, the Contract Author, has disputed one answer of agent_b. */
const disputed = play(reported, [['agent_a', 'submit_finding', dispute('rq_1')]]);
const checked = play(disputed, [confirmation(disputed, 'agent_a'), confirmation(disputed, 'agent_b')]);
const checks = (past: readonly PastEvent[]) =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .readiness.map(({ answers }) => answers.map(({ check, finding_id = '' }) => `${check} ${finding_id}`.trim()));

describe('the confirmation of the other answers', () => {
  test('is an action of each builder once both are ready', () => {
    const actions = (by: 'agent_a' | 'agent_b', past = reported) =>
      given(past).when('poll_actions', {}, by).reply().actions;
    expect(actions('agent_a', first)).toEqual([]);
    const [action] = actions('agent_a');
    expect(action).toMatchObject({
      type: 'CONFIRM_ANSWERS',
      tool: 'complete_action',
      payload: { action_id: action?.action_id },
    });
    expect(given(reported).when('get_readiness_questions', {}, 'agent_a').reply().to_confirm).toEqual({
      answers_of: 'agent_b',
      action_id: action?.action_id,
    });
    expect(given(reported).when('read_session_state', {}, 'agent_a').reply().instruction).toEqual({
      tool: 'complete_action',
      route: 'POST actions/complete',
      text: `Action ${action?.action_id} (CONFIRM_ANSWERS): Read the answers of agent_b in get_readiness_questions. Dispute those that do not fit the contract or your side with submit_finding (target: the question_id), then complete this action without a note, which confirms all other answers.`,
    });
  });

  test('is stored with the answers that it confirms', () => {
    const [by, tool, input] = confirmation(reported, 'agent_a');
    expect(
      given(reported)
        .when(tool as 'complete_action', input as never, by as 'agent_a')
        .reply().action,
    ).toMatchObject({ type: 'CONFIRM_ANSWERS', status: 'COMPLETED' });
    const past = play(reported, [confirmation(reported, 'agent_a')]);
    expect(past.findLast(({ kind }) => kind === 'readiness.checked')?.data).toEqual({
      manifest_id: 'm_1',
      answers_of: 'agent_b',
      report: 34,
      confirmed: ['rq_1', 'rq_2'],
      disputed: [],
    });
    given(past)
      .when(tool as 'complete_action', input as never, by as 'agent_a')
      .thenEvents();
  });

  describe('with the own report', () => {
    const asked = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b' = 'agent_b') =>
      given(past).when('get_readiness_questions', { with_answers: true }, by).reply();
    const { to_confirm } = asked(first);

    test('is offered to the builder that reports second and asks for the answers', () => {
      expect(to_confirm).toEqual({ answers_of: 'agent_a', report: 32 });
      expect(asked(first).readiness[0]?.answers?.map(({ answer }) => answer)).toEqual(OF_A.map(({ answer }) => answer));
      expect(given(first).when('get_readiness_questions', {}, 'agent_b').reply()).not.toHaveProperty('to_confirm');
      expect(given(first).when('read_session_state', {}, 'agent_b').reply().instruction.text).toContain(
        'If the other agent has reported, with_answers: true shows its answers too, and confirms in your report confirms them.',
      );
      for (const [past, by] of [
        [received, 'agent_b'],
        [blocked, 'agent_b'],
        [first, 'agent_a'],
      ] as const) {
        expect(asked(past, by)).not.toHaveProperty('to_confirm');
        expect(asked(past, by).readiness.flatMap(({ answers }) => answers ?? [])).toEqual([]);
      }
      expect(asked(reported)).toMatchObject({ to_confirm: { answers_of: 'agent_a', action_id: 'act_8' } });
    });

    test('is stored as that of the separate call, without an action', () => {
      const answer = submit({ ...right, confirms: to_confirm?.report }, first);
      expect(answer.reply()).toMatchObject({ both_ready: true });
      expect(answer.reply()).not.toHaveProperty('to_confirm');
      expect(answer.reply().readiness.flatMap(({ answers }) => answers ?? [])).toEqual([]);
      const past = play(first, [['agent_b', 'submit_readiness', { ...right, confirms: to_confirm?.report }]]);
      expect(past.slice(first.length).map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
        'readiness.submitted agent_b',
        'readiness.checked agent_b',
      ]);
      expect(past.at(-1)?.data).toEqual({
        manifest_id: 'm_1',
        answers_of: 'agent_a',
        report: 32,
        confirmed: ['rq_1', 'rq_2'],
        disputed: [],
      });
      build(past).thenFails('NOT_READY', { waiting_for: ['agent_a'] });
      build(play(past, [confirmation(past, 'agent_a')])).reply();
    });

    test('is refused with the report if that is not the report which stands', () => {
      const replaced = play(first, [['agent_a', 'submit_readiness', rightReport(received, 'agent_a')]]);
      expect(submit({ ...right, confirms: 32 }, replaced).refusal()).toMatchObject({
        error: 'UNKNOWN_RECORD',
        message: 'confirms: The report of agent_a to confirm is 34, not 32.',
        record: { type: 'readiness', id: '32' },
      });
      for (const past of [received, blocked, ready])
        submit({ ...right, confirms: 32 }, past).thenFails('UNKNOWN_RECORD');
      submit({ ...right, verdict: 'BLOCKED', blockers: ['Ill.'], confirms: 32 }, first).thenFails('INVALID_INPUT');
    });
  });

  test('of both builders is required for the build', () => {
    build(reported).thenFails('NOT_READY', { waiting_for: ['agent_a', 'agent_b'] });
    build(play(reported, [confirmation(reported, 'agent_a')])).thenFails('NOT_READY', { waiting_for: ['agent_b'] });
    build(ready).reply();
    expect(checks(ready)).toEqual([
      ['CONFIRMED', 'CONFIRMED'],
      ['CONFIRMED', 'CONFIRMED'],
    ]);
  });

  test('is not asked for on a manifest with the earlier questions', () => {
    const past = play(earlier, [
      ['agent_b', 'submit_readiness', exact],
      [
        'agent_a',
        'submit_readiness',
        {
          ...rightReport(received, 'agent_a'),
          answers: ['task-orders', 'none', 'reservations', 'test-reserve', '1', HANDOFF_OF_A, 'x', 'y'].map(
            (answer, index) => ({ question_id: `rq_${index + 1}`, answer }),
          ),
        },
      ],
    ]);
    expect(given(past).when('get_readiness_questions', {}, 'agent_a').reply().to_confirm).toBeUndefined();
    build(past).reply();
  });

  test('is due again for a report that replaces the confirmed one', () => {
    const past = play(ready, [['agent_b', 'submit_readiness', right]]);
    build(past).thenFails('NOT_READY', { waiting_for: ['agent_a'] });
    build(play(past, [confirmation(past, 'agent_a')])).reply();
  });
});

const [, , RECEIPT_OF_A] = receipts(approved, 'agent_a')[1] ?? [];
const HANDOFF_OF_A = String(Object(RECEIPT_OF_A).sha256);

describe('a disputed answer', () => {
  test('is a finding that the other builder answers, and stops the build', () => {
    expect(checks(checked)).toEqual([
      ['CONFIRMED', 'CONFIRMED'],
      ['DISPUTED f_1', 'CONFIRMED'],
    ]);
    build(checked).thenFails('NOT_READY', {
      waiting_for: ['agent_a'],
      hint: 'Wait until each agent in waiting_for has resolved its findings, or override the findings.',
    });
    expect(given(checked).when('poll_actions', {}, 'agent_b').reply().actions).toMatchObject([
      { type: 'RESPOND_FINDING', payload: { finding_id: 'f_1' } },
    ]);
    const settled = play(checked, [
      ['agent_b', 'respond_finding', { finding_id: 'f_1', decision: 'ACCEPT', response: 'By the schedule.' }],
      ['agent_a', 'resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }],
    ]);
    build(settled).reply();
  });

  test('can be overridden by the owner', () => {
    build(play(checked, [['owner', 'overrideFinding', { finding_id: 'f_1', reason: 'Once is enough.' }]])).reply();
  });

  test('does not stop the build if the finding does not block', () => {
    const past = play(reported, [['agent_a', 'submit_finding', dispute('rq_1', { blocking: false })]]);
    build(play(past, [confirmation(past, 'agent_a'), confirmation(past, 'agent_b')])).reply();
  });

  test('must be an answer of the other builder that the caller can read', () => {
    const finding = (past: readonly PastEvent[], target: string) =>
      given(past).when('submit_finding', dispute(target), 'agent_a');
    finding(first, 'rq_1').thenFails('NOT_TECHNICAL_REVIEWER', { technical_reviewer: 'agent_b' });
    finding(reported, 'rq_3').thenFails('NOT_TECHNICAL_REVIEWER', { technical_reviewer: 'agent_b' });
  });

  test('is not withdrawn by a further report alone', () => {
    const past = play(checked, [['agent_b', 'submit_readiness', right]]);
    build(play(past, [confirmation(past, 'agent_a')])).thenFails('NOT_READY', {
      waiting_for: ['agent_a'],
      hint: 'Wait until each agent in waiting_for has resolved its findings, or override the findings.',
    });
  });
});
