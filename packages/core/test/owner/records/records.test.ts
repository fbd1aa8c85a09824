import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { recommends } from '../../moderation.ts';
import { accepted, asked, intervened, proposed, responded, turnPosted, withdrawn } from '../../past.ts';
import { building, failed, play, releasable, submitted } from '../../story.ts';

const AT = '2026-01-05T09:00:00.000Z';

const argued = [
  turnPosted('agent_a', 0),
  proposed('agent_a', 'd_1', { in_turn: true }),
  asked('agent_a', 'q_1'),
  accepted('agent_b', 'd_1'),
  turnPosted('agent_b', 1),
  proposed('agent_b', 'd_2', { in_turn: true, position: 'PostgreSQL 16', revision: 2, supersedes: 'd_1' }),
];

const one = (past: Parameters<typeof given>[0], id: string) => given(past).when('records', { id }, 'owner').reply();

describe('records', () => {
  test('shows the turn of a decision, what replaced it, and the words that changed', () => {
    const { records, context } = one(argued, 'd_1');
    expect(records).toMatchObject([
      { status: 'SUPERSEDED', position: 'PostgreSQL 15', accepted_by: ['agent_b'], superseded_by: 'd_2' },
    ]);
    expect(context).toEqual({
      type: 'decision',
      events: [
        {
          what: 'proposed',
          id: 6,
          at: AT,
          from: 'agent_a',
          kind: 'turn.posted',
          record: { type: 'turn', id: '0' },
          summary: 'Turn 0.',
        },
      ],
      changes: [{ from: 'd_1', to: 'd_2', words: 'PostgreSQL [-15-]{+16+}' }],
    });
  });

  test('shows the changes of a decision that was withdrawn after it had replaced another', () => {
    const { context } = one([...argued, withdrawn('agent_b', 'd_2')], 'd_2');
    expect(context?.changes).toEqual([{ from: 'd_1', to: 'd_2', words: 'PostgreSQL [-15-]{+16+}' }]);
  });

  test.each([
    ['/tasks/0/title', '/tasks/0/title', 'task-stock', 'Serve reservations that end by themselves'],
    ['reservation', '/data_models/0', 'reservation', { id: 'reservation', name: 'Reservation' }],
  ])('shows the place of the contract that a finding names: %s', (target, pointer, part_id, value) => {
    const past = play(submitted, [['agent_b', 'submit_finding', { text: 'It is vague.', target }]]);
    expect(one(past, 'f_1').context).toMatchObject({
      events: [{ what: 'raised', from: 'agent_b', kind: 'finding.raised' }],
      contract: { revision_id: 'r_1', pointer, part_id, value },
    });
  });

  test('names no part for a finding on a member of the whole contract', () => {
    const past = play(submitted, [['agent_b', 'submit_finding', { text: 'It is vague.', target: '/title' }]]);
    expect(one(past, 'f_1').context?.contract).not.toHaveProperty('part_id');
  });

  test('shows the place of a decision in the latest contract', () => {
    expect(one(submitted, 'd_1').context?.contract).toEqual({ revision_id: 'r_1', pointer: '/decisions/0' });
    expect(one(argued, 'd_2').context).not.toHaveProperty('contract');
  });

  test.each(['/tasks/99', '/constructor/name', 'nowhere'])(
    'shows no place for a target that the contract does not contain: %s',
    (target) => {
      const past = play(submitted, [['agent_b', 'submit_finding', { text: 'It is vague.', target }]]);
      expect(one(past, 'f_1').context).not.toHaveProperty('contract');
    },
  );

  test('shows what opened and what completed an action', () => {
    const { actions } = given(building).when('view', {}, 'owner').reply();
    const review = actions.find(({ type, due_to }) => type === 'REVIEW_REVISION' && due_to === 'agent_b');
    expect(one(building, review?.action_id ?? '').context?.events).toMatchObject([
      { what: 'opened', kind: 'revision.created', record: { type: 'revision', id: 'r_1' } },
      { what: 'completed', kind: 'review.submitted', from: 'agent_b', record: { type: 'revision', id: 'r_1' } },
    ]);
  });

  test('shows the turn that asked a question, and the turn that answered it', () => {
    const past = play(
      [],
      [
        ['agent_a', 'post_turn', { summary: 'The port is open.', questions: ['Which port?'] }],
        ['agent_b', 'post_turn', { summary: 'The port is fixed.', answers: [{ question_id: 'q_1', answer: '8080.' }] }],
      ],
    );
    expect(one(past, 'q_1').context?.events).toMatchObject([
      { what: 'asked', from: 'agent_a', record: { type: 'turn', id: '0' }, summary: 'The port is open.' },
      { what: 'answered', from: 'agent_b', record: { type: 'turn', id: '1' }, summary: 'The port is fixed.' },
    ]);
  });

  test('shows the advice of the moderator that names the record, and no other', () => {
    const past = play(
      [asked('agent_b', 'q_1', { to: 'owner' })],
      [recommends('OTHER', 'Answer q_1 with 8080.'), recommends('OTHER', 'Nothing is said about q_11.')],
    );
    expect(one(past, 'q_1').context?.advice).toMatchObject([
      { recommendation_id: 'rec_1', text: 'Answer q_1 with 8080.' },
    ]);
    expect(one(argued, 'q_1').context).not.toHaveProperty('advice');
  });

  test('shows a requirement with its tests and the evidence of their passes', () => {
    const { records, context } = one(releasable, 'R1');
    expect(records).toMatchObject([{ requirement_id: 'R1' }]);
    expect(context?.type).toBe('requirement');
    expect(context?.scenarios?.map(({ scenario_id, status }) => `${scenario_id} ${status}`)).toContain(
      'test-reserve PASSED',
    );
    const [first] = context?.scenarios ?? [];
    expect(new Set(first?.evidence.map(({ by }) => by))).toEqual(new Set(['agent_a', 'agent_b']));
    const ids = first?.evidence.map(({ message_id }) => message_id) ?? [];
    const read = given(releasable)
      .when('board', { scenario_id: first?.scenario_id ?? '' }, 'owner')
      .reply();
    expect(read.scenarios[0]?.attempts.at(-1)?.evidence.map(({ message_id }) => message_id)).toEqual(ids);
  });

  describe('of a defect', () => {
    const disputed = [
      ...play(failed, [
        ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }],
        ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_b', reason: 'By its log.' }],
      ]),
      intervened('i_1', { text: 'Whose is def_1?', targets: ['agent_a'] }),
      responded('agent_a', 'i_1', 'Not mine.'),
      intervened('i_2', { text: 'Run it again.', targets: ['agent_b'] }),
      responded('agent_b', 'i_2', 'After the fix of def_1.'),
      intervened('i_3', { text: 'What about def_12?', targets: ['agent_b'] }),
    ];
    const { context } = one(disputed, 'def_1');

    test('shows earlier reassignments', () => {
      expect(context?.reassigned).toMatchObject([
        { from: 'agent_b', to: 'agent_a', at: AT },
        { from: 'agent_a', to: 'agent_b', at: AT, reason: 'By its log.' },
      ]);
    });

    test('shows the interventions that name it in their text or in an answer', () => {
      expect(context?.interventions).toMatchObject([
        { intervention_id: 'i_1', responses: [{ role: 'agent_a', text: 'Not mine.' }] },
        { intervention_id: 'i_2', responses: [{ role: 'agent_b', text: 'After the fix of def_1.' }] },
      ]);
    });

    test('shows the findings in which its assignee disputes it, with the answers to them', () => {
      const disputed = play(failed, [
        ['agent_b', 'submit_finding', { text: 'The caller locks the row.', target: 'def_1', blocking: false }],
        ['agent_a', 'respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'It does not.' }],
      ]);
      expect(one(disputed, 'def_1').context?.disputes).toMatchObject([
        {
          finding_id: 'f_1',
          raised_by: 'agent_b',
          text: 'The caller locks the row.',
          response: { by: 'agent_a', decision: 'REJECT', response: 'It does not.' },
        },
      ]);
    });

    test('shows no list of reassignments or interventions that would be empty', () => {
      const fresh = one(failed, 'def_1').context ?? {};
      expect(Object.keys(fresh)).toEqual(['type', 'events', 'scenarios', 'contract', 'attempt']);
    });

    test('shows neither the test nor the attempt after the approval of another contract', () => {
      const later = play(failed, [['owner', 'requestChanges', { reason: 'Split it.' }]]);
      expect(Object.keys(one(later, 'def_1').context ?? {})).toEqual(['type', 'events', 'scenarios']);
    });
  });

  test.each([
    ['an unknown record', { id: 'd_9' }, 'UNKNOWN_RECORD', { record: { type: 'decision', id: 'd_9' } }],
    [
      'an id of no known form',
      { id: 'x_1' },
      'INVALID_INPUT',
      {
        issues: [
          {
            path: 'id',
            message:
              'Must be the id of a record (d_1, q_1, f_1, i_1, act_1, r_1, h_1, rec_1, def_1, fu_1), of a requirement, or of an item of the latest revision: R1, R2.',
          },
        ],
      },
    ],
    [
      'neither type nor id',
      {},
      'INVALID_INPUT',
      { issues: [{ path: 'type', message: 'Must be given for a list of records; for one record give its id.' }] },
    ],
  ] as const)('refuses %s', (_what, input, code, details) => {
    given(argued)
      .when('records', input as never, 'owner')
      .thenFails(code, details as never);
  });

  test.each([
    ['d_9', 'There is no decision d_9 in this session. The session has d_1 to d_2.'],
    ['q_9', 'There is no question q_9 in this session. The session has only q_1.'],
    ['f_1', 'There is no finding f_1 in this session. The session has no finding yet.'],
  ])('names the existing records if %s does not exist', (id, message) => {
    expect(given(argued).when('records', { id }, 'owner').refusal()).toMatchObject({ message });
  });

  describeOwner('records', { input: { type: 'decision' }, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});
