import { describe, expect, test } from 'vitest';
import { given, openSession, type PastEvent } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { finds } from '../../moderation.ts';
import { asked, intervened, interventionWithdrawn, paused, proposed, responded, taskAssigned } from '../../past.ts';
import {
  approved,
  attempt,
  awaiting,
  building,
  certified,
  declared,
  evidence,
  play,
  ready,
  submitted,
} from '../../story.ts';
import { staleOf } from '../../verify/carries.ts';

describe('view', () => {
  test('contains everything that both builders see, and what only the owner sees', () => {
    const view = given().when('view', {}, 'owner').reply();
    expect(Object.keys(view).toSorted()).toEqual(
      [
        'session_id',
        'profile',
        'build_progress',
        'title',
        'objective',
        'guardrails',
        'requirements',
        'agents',
        'first_turn',
        'fixture_version',
        'secret_policy',
        'holds',
        'movers',
        'duties',
        'since',
        'waits',
        'moderator',
        'moderator_reviews',
        'recommendations',
        'created_at',
        'head',
        'state',
        'decisions',
        'questions',
        'interventions',
        'actions',
        'revisions',
        'findings',
        'reviews',
        'preflight',
        'manifest',
        'approvals',
        'receipts',
        'readiness',
        'access',
        'quotas',
      ].toSorted(),
    );
  });

  test.each<readonly [string, readonly PastEvent[], readonly object[]]>([
    ['a turn', [], [{ role: 'agent_a', text: 'post its turn' }]],
    [
      'a question',
      [asked('agent_a', 'q_1')],
      [
        { role: 'agent_a', text: 'post its turn' },
        { role: 'agent_b', text: 'answer question q_1' },
      ],
    ],
    [
      'a review',
      submitted,
      [
        { role: 'agent_b', text: 'review r_1' },
        { role: 'moderator', text: 'act_2: Review r_1, and give a verdict on exactly this revision.' },
      ],
    ],
    [
      'a run and its evidence',
      play(declared, [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve')]),
      [{ role: 'agent_b', text: 'judge the attempt of scenario test-reserve' }],
    ],
    ['a verdict', awaiting, [{ role: 'agent_b', text: 'judge the attempt of scenario test-reserve' }]],
    [
      'a stale pass that the other agent can carry over',
      staleOf('other_agent'),
      [
        { role: 'agent_a', text: 'run scenario test-reserve' },
        { role: 'agent_b', text: 'carry over the stale pass of scenario test-reserve, or leave it to a rerun' },
      ],
    ],
    ['a task', [taskAssigned('act_1', 'agent_a')], [{ role: 'agent_a', text: 'act_1: Write the changelog.' }]],
    [
      'a finding that the moderator must assess',
      play(submitted, [
        finds(),
        ['agent_a', 'respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'No.' }],
      ]),
      [
        {
          role: 'moderator',
          text: 'act_4: Read the response to finding f_1, and resolve the finding if the response is sufficient.',
        },
      ],
    ],
    ['nobody', [paused], []],
  ])('says what each agent has to do: %s', (_what, past, duties) => {
    expect(given(past).when('view', {}, 'owner').reply().duties).toEqual(duties);
  });

  test('lists questions, decisions and actions of both agents', () => {
    const view = given([
      asked('agent_a', 'q_1'),
      asked('agent_b', 'q_2', { to: 'owner' }),
      proposed('agent_b', 'd_1'),
      taskAssigned('act_1', 'agent_a'),
    ])
      .when('view', {}, 'owner')
      .reply();
    expect(view.questions.map(({ question_id, to }) => [question_id, to])).toEqual([
      ['q_1', 'agent_b'],
      ['q_2', 'owner'],
    ]);
    expect(view.decisions).toMatchObject([{ decision_id: 'd_1', proposed_by: 'agent_b' }]);
    expect(view.actions).toMatchObject([{ action_id: 'act_1', due_to: 'agent_a' }]);
  });

  test('keeps closed interventions, with the progress of the slowest target', () => {
    const view = given([
      intervened('i_1'),
      responded('agent_a', 'i_1', 'We do.'),
      intervened('i_2', { targets: ['agent_b'] }),
      interventionWithdrawn('i_2'),
      intervened('i_3', { targets: ['agent_a'] }),
      responded('agent_a', 'i_3', 'We do.'),
    ])
      .when('view', {}, 'owner')
      .reply();
    expect(view.interventions.map(({ intervention_id, status }) => [intervention_id, status])).toEqual([
      ['i_1', 'OPEN'],
      ['i_2', 'WITHDRAWN'],
      ['i_3', 'ANSWERED'],
    ]);
  });

  test('shows the contract up to the reports of both agents', () => {
    const view = given(ready).when('view', {}, 'owner').reply();
    expect(view.revisions).toMatchObject([{ revision_id: 'r_1', parent_id: null, author: 'agent_a' }]);
    expect(view.reviews.map(({ by, verdict }) => `${by} ${verdict}`)).toEqual(['agent_a APPROVE', 'agent_b APPROVE']);
    expect(view.preflight).toMatchObject({ revision_id: 'r_1', complete: true });
    expect(view.manifest).toMatchObject({ manifest_id: 'm_1', revision_id: 'r_1' });
    expect([view.receipts.agent_a.length, view.receipts.agent_b.length]).toEqual([2, 3]);
    const { receipts } = given(approved).when('view', {}, 'owner').reply();
    expect(receipts).toEqual({ agent_a: ['shared-contract.json'], agent_b: ['shared-contract.json'] });
    expect(view.readiness.map(({ verdict }) => verdict)).toEqual(['READY_TO_CODE', 'READY_TO_CODE']);
    expect(view.state.instruction.tool).toBe('authorize');
  });

  test.each([
    ['start', { isStarted: false }, []],
    [null, {}, []],
    ['answerQuestion', {}, [asked('agent_b', 'q_1', { to: 'owner' })]],
    ['resume', {}, [paused]],
    [null, {}, submitted],
    ['approveContract', {}, certified],
    [null, {}, approved],
    ['authorize', {}, ready],
    [null, {}, building],
  ] as const)('names %s as the step that waits for the owner', (tool, options, past) => {
    const { instruction } = given([...past], options)
      .when('view', {}, 'owner')
      .reply().state;
    expect(instruction.tool).toBe(tool);
  });

  test.each([
    ['PLANNING', []],
    ['CONTRACT', submitted],
    ['READINESS', approved],
    ['VERIFY', building],
  ] as const)('refers to the duties if nothing waits for the owner in %s', (phase, past) => {
    const { state, duties } = given([...past])
      .when('view', {}, 'owner')
      .reply();
    expect(state.phase).toBe(phase);
    expect(state.instruction).toEqual({
      tool: null,
      text: 'Nothing waits for you. What each agent has to do is in duties.',
    });
    expect(duties).not.toEqual([]);
  });

  test('shows who has access, and never a secret', async () => {
    const { owner, sessionId, tokens } = await openSession();
    const { code } = await owner.invite(sessionId, { role: 'agent_b' });
    await owner.revoke(sessionId, { role: 'agent_a' });
    const { access } = await owner.view(sessionId);
    expect(access).toMatchObject([
      { role: 'agent_a', token: { token_prefix: tokens.agent_a.slice(0, 10), revoked: true }, invitation: null },
      {
        role: 'agent_b',
        token: { revoked: false, scopes: expect.any(Array) },
        invitation: { code_prefix: code.slice(0, 10) },
      },
      { role: 'moderator', token: { permissions: ['ask', 'find', 'hold', 'review', 'recommend'] }, invitation: null },
    ]);
    expect(JSON.stringify(access)).not.toContain(tokens.agent_b.slice(0, 11));
    expect(JSON.stringify(access)).not.toContain(code.slice(0, 11));
  });

  describeOwner('view', { statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});
