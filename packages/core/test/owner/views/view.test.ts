import { describe, expect, test } from 'vitest';
import { given, openSession, type PastEvent } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { finds } from '../../moderation.ts';
import { asked, intervened, interventionWithdrawn, paused, responded, taskAssigned } from '../../past.ts';
import { approved, building, certified, play, ready, submitted } from '../../story.ts';
import { staleOf } from '../../verify/carries.ts';

describe('view', () => {
  test.each<readonly [string, readonly PastEvent[], readonly object[]]>([
    [
      'a question',
      [asked('agent_a', 'q_1')],
      [
        { role: 'agent_a', text: 'post its turn' },
        { role: 'agent_b', text: 'answer question q_1' },
      ],
    ],
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
