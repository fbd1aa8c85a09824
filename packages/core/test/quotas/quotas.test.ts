import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../src/testing/index.ts';
import { finds, TO_BOTH } from '../moderation.ts';
import { turnPosted } from '../past.ts';
import { type Call, play, review, submit, submitted } from '../story.ts';

const usedBy = (past: readonly PastEvent[], options?: GivenOptions) => {
  const { quotas } = given(past, options).when('view', {}, 'owner').reply();
  return (role: string, name: string) =>
    quotas.find(({ role: whose, quota }) => whose === role && quota === name) ?? expect.fail(`No ${name} of ${role}.`);
};

const turn = turnPosted('agent_a', 0);
const asksBoth: Call = ['owner', 'ask', { targets: ['agent_a', 'agent_b'], text: 'Why?', blocking: true }];

describe('what an agent has used', () => {
  test('counts its own events with the bytes of their stored texts', () => {
    const earlier = usedBy([]);
    const later = usedBy([turnPosted('agent_a', 0, { summary: '漢'.repeat(1_000) })]);
    expect([earlier('agent_a', 'events').used, later('agent_a', 'events').used]).toEqual([1, 2]);
    expect(later('agent_a', 'bytes').used - earlier('agent_a', 'bytes').used).toBe(3_000 + 273);
    expect(later('agent_b', 'bytes')).toEqual(earlier('agent_b', 'bytes'));
  });

  test('counts a contract with its revision, and what the service adds', () => {
    const earlier = usedBy(submitted);
    const later = usedBy(play(submitted, [submit('r_1')]));
    expect(earlier('agent_a', 'revisions')).toMatchObject({ used: 1, limit: 500, most: 2_000 });
    expect(later('agent_a', 'revisions').used).toBe(2);
    // Five events: the revision, two closed actions for reviews of r_1, and two new actions for reviews of r_2.
    expect(later('agent_a', 'events').used - earlier('agent_a', 'events').used).toBe(5);
    const { revisions } = given(play(submitted, [submit('r_1')]))
      .when('view', {}, 'owner')
      .reply();
    const growth = later('agent_a', 'bytes').used - earlier('agent_a', 'bytes').used;
    expect(growth).toBeGreaterThan((revisions[1]?.bytes ?? 0) + 5 * 250);
  });

  test('leaves out what the owner writes, and what follows from it', () => {
    const directive: PastEvent[] = play([turn], [['owner', 'direct', { targets: ['agent_a'], text: 'Keep the API.' }]]);
    expect(usedBy(directive)('agent_a', 'events')).toEqual(usedBy([turn])('agent_a', 'events'));
  });

  test('is given when a session is created, the same to each agent', () => {
    const { quotas } = given([], { quotas: { revisions: 7 } })
      .when('view', {}, 'owner')
      .reply();
    expect(quotas.map(({ role, quota, limit, most }) => [role, quota, limit, most])).toEqual([
      ['agent_a', 'bytes', 8_388_608, 33_554_432],
      ['agent_a', 'events', 16_000, 64_000],
      ['agent_a', 'revisions', 7, 28],
      ['agent_a', 'findings', 2_000, 8_000],
      ['agent_b', 'bytes', 8_388_608, 33_554_432],
      ['agent_b', 'events', 16_000, 64_000],
      ['agent_b', 'revisions', 7, 28],
      ['agent_b', 'findings', 2_000, 8_000],
      ['moderator', 'bytes', 8_388_608, 33_554_432],
      ['moderator', 'events', 16_000, 64_000],
      ['moderator', 'revisions', 7, 28],
      ['moderator', 'findings', 2_000, 8_000],
    ]);
  });
});

describe('a quota that is used up', () => {
  test.each([
    ['bytes', { bytes: 900 }],
    ['events', { events: 2 }],
  ] as const)('of %s stops every write of its agent, and nobody else', (quota, quotas) => {
    const session = given(play([turn], [asksBoth]), { quotas });
    const answer = { intervention_id: 'i_1', text: 'Yes.' };
    const { error, hint, used, limit } = session.when('answer_intervention', answer, 'agent_a').refusal();
    expect({ error, hint, limit }).toEqual({
      error: 'QUOTA_EXHAUSTED',
      hint: 'Make no more writes until the owner has raised this quota; the owner is informed. Reading still works.',
      limit: quotas[quota as keyof typeof quotas],
    });
    expect(used).toBeGreaterThanOrEqual(Number(limit));
    session.when('read_messages', {}, 'agent_a').reply();
    session.when('answer_intervention', answer, 'agent_b').reply();
    session.when('submit_moderator_finding', TO_BOTH, 'moderator').reply();
    session.when('pause', { reason: 'Lunch.' }, 'owner').reply();
  });

  test('lets the call pass that goes beyond it', () => {
    given([], { quotas: { bytes: 800 } })
      .when('post_turn', { summary: 'x'.repeat(8_000) }, 'agent_a')
      .reply();
  });

  test('does not stop acknowledgements of the moderator, so that no wait ends because of events that it has read', () => {
    const session = given([turn], { quotas: { events: 1 } });
    session.when('ack_events', { cursor: 6 }, 'moderator').reply();
    session.when('submit_moderator_finding', TO_BOTH, 'moderator').thenFails('QUOTA_EXHAUSTED');
  });

  test('of revisions stops revisions alone, and those of its agent', () => {
    const quotas = { revisions: 1 };
    const past = play(submitted, [review('agent_b')], { quotas });
    const again = { contract: {}, expected_parent_id: 'r_1', reason: 'Once more.' };
    given(past, { quotas }).when('submit_contract', again, 'agent_a').thenFails('QUOTA_EXHAUSTED', {
      quota: 'revisions',
      used: 1,
      limit: 1,
    });
    play(past, [review('agent_a')], { quotas });
    play(
      past,
      [
        ['owner', 'appointAuthor', { candidate: 'agent_b' }],
        ['agent_b', 'submit_contract', again],
      ],
      { quotas },
    );
  });

  test('of findings does not stop the findings and holds of the moderator', () => {
    const quotas = { findings: 1 };
    const past = play(submitted, [['agent_b', 'submit_finding', { text: 'Odd.' }]], { quotas });
    const withdrawn: PastEvent[] = play(
      past,
      [['agent_b', 'resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }]],
      { quotas },
    );
    given(withdrawn, { quotas })
      .when('submit_finding', { text: 'Odd.' }, 'agent_b')
      .thenFails('QUOTA_EXHAUSTED', { quota: 'findings', used: 1, limit: 1 });
    play(withdrawn, [finds(), ['moderator', 'request_hold', { finding_id: 'f_2', reason: 'Not yet.' }]], { quotas });
  });
});

describe('an agent is told', () => {
  const stateOf = (past: readonly PastEvent[], options: GivenOptions, role: 'agent_a' | 'moderator' = 'agent_a') =>
    given(past, options).when('read_session_state', {}, role).reply();

  test('nothing while more than a fifth is left', () => {
    expect(stateOf([turn], { quotas: { events: 3 } })).not.toHaveProperty('quotas');
  });

  test('of its own quota when a fifth is left', () => {
    const past = [turn, ...[1, 2].map((index) => turnPosted('agent_a', index))];
    expect(stateOf(past, { quotas: { events: 5 } }).quotas).toEqual([{ quota: 'events', used: 4, limit: 5 }]);
    expect(stateOf(past, { quotas: { events: 5 } }, 'moderator')).not.toHaveProperty('quotas');
  });

  test('to wait once it can write nothing', () => {
    const { instruction } = stateOf(play([turn], [asksBoth]), { quotas: { events: 2 } });
    expect(instruction).toMatchObject({
      tool: 'wait_for_my_turn',
      text: 'QUOTA_EXHAUSTED: you have used up your quota of 2 events in this session. Wait: the owner is informed and can raise it.',
    });
  });

  test('as the moderator, to acknowledge its events first, then to wait', () => {
    const quotas = { events: 1 };
    expect(stateOf([turn], { quotas }, 'moderator').instruction).toMatchObject({
      tool: 'ack_events',
      text: 'Read the events after 0 with wait_for_activity (GET events), then acknowledge them with ack_events up to 6.',
    });
    const acknowledged = play([turn], [['moderator', 'ack_events', { cursor: 6 }]], { quotas });
    expect(stateOf(acknowledged, { quotas }, 'moderator').instruction).toMatchObject({
      tool: 'wait_for_activity',
      text: 'QUOTA_EXHAUSTED: you have used up your quota of 1 events in this session. Wait: the owner is informed and can raise it.',
    });
  });

  test('to wait when only a revision would help and its revisions are used up', () => {
    const quotas = { revisions: 1 };
    const sentBack = play(submitted, [['owner', 'requestChanges', { reason: 'Name the error.' }]], { quotas });
    expect(stateOf(sentBack, { quotas }).instruction).toMatchObject({
      tool: 'wait_for_my_turn',
      text: 'QUOTA_EXHAUSTED: you have used up your quota of 1 revisions in this session. Wait: the owner is informed and can raise it.',
    });
    const found = play(sentBack, [['agent_b', 'submit_finding', { text: 'Odd.' }]], { quotas });
    expect(stateOf(found, { quotas }).instruction.tool).toBe('respond_finding');
  });

  test('to wait although an answer is due, and then the owner has to act', () => {
    const session = given(play([turn], [asksBoth]), { quotas: { events: 2 } });
    expect(session.when('view', {}, 'owner').reply().movers).toEqual(['owner', 'agent_b']);
    expect(session.when('read_session_state', { wait: 1 }, 'agent_a').reply().timed_out).toBe(true);
  });
});
