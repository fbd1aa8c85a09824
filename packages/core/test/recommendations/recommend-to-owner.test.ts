import { describe, expect, test } from 'vitest';
import { given, openSession, type PastEvent } from '../../src/testing/index.ts';
import { held } from '../held.ts';
import { recommends } from '../moderation.ts';
import { play } from '../story.ts';

const input = { recommendation: 'PAUSE', text: 'Wait for the rollback.' } as const;
const recommend = (changes: Readonly<Record<string, unknown>> = {}, past: readonly PastEvent[] = []) =>
  given(past).when('recommend_to_owner', { ...input, ...changes }, 'moderator');
const answers = ['owner', 'respondRecommendation', { recommendation_id: 'rec_1', decision: 'ACCEPT' }] as const;
const answered = play([], [recommends(), answers]);

describe('recommend_to_owner', () => {
  test('advises the owner, about both builders', () => {
    recommend()
      .thenEvents({
        kind: 'recommendation.made',
        actor: 'moderator',
        data: {
          recommendation_id: 'rec_1',
          recommendation: 'PAUSE',
          text: 'Wait for the rollback.',
          targets: ['agent_a', 'agent_b'],
        },
      })
      .thenReply({
        recommendation: {
          recommendation_id: 'rec_1',
          made_at: '2026-01-05T09:01:00.000Z',
        },
      });
  });

  test('has ids of its own', () => {
    expect(recommend({}, answered).reply().recommendation.recommendation_id).toBe('rec_2');
  });

  test.each([
    ['recommendation', 'of another name', 'STOP'],
    ['recommendation', 'left out', undefined],
    ['text', 'blank', ' '],
    ['text', 'too long', 'x'.repeat(4_001)],
    ['targets', 'empty', []],
    ['targets', 'doubled', ['agent_b', 'agent_b']],
  ])('refuses a %s that is %s', (member, _what, value) => {
    expect(recommend({ [member]: value }).refusal().issues).toMatchObject([{ path: member }]);
  });

  test('is refused beyond the limit of unanswered recommendations', () => {
    const limits = { openRecommendations: 1 };
    const made = play([], [recommends()]);
    const other = { ...input, text: 'Other advice.' };
    given(made, { limits }).when('recommend_to_owner', other, 'moderator').thenFails('LIMIT_EXCEEDED', {
      limit: 1,
      hint: 'Send the call again once the owner has answered a recommendation.',
    });
    given(answered, { limits }).when('recommend_to_owner', input, 'moderator').reply();
  });
});

describe('what the moderator and the owner exchange', () => {
  test('is read by these two, in the transcript and in the feed', () => {
    const kinds = ['recommendation.made', 'recommendation.answered'];
    const messages = given(answered).when('read_messages', { after: 5 }, 'moderator').reply().messages;
    expect(messages.map(({ kind }) => kind)).toEqual(kinds);
    const { events, head } = given(answered).when('get_session_events', { after: 5 }, 'moderator').reply();
    expect([events.map(({ kind }) => kind), head]).toEqual([kinds, 7]);
    const transcript = given(answered).when('transcript', { after: 5 }, 'owner').reply().messages;
    expect(transcript.map(({ kind }) => kind)).toEqual(kinds);
  });

  test.each(['agent_a', 'agent_b'] as const)('is invisible to %s, on any page and with any cursor', (role) => {
    const session = given(answered);
    session.when('read_messages', { after: 5 }, role).thenReply({ messages: [], next_cursor: 5, more: false });
    expect(session.when('read_messages', { after: 0 }, role).reply()).toMatchObject({ next_cursor: 5, more: false });
    const { cursor, ...state } = session.when('read_session_state', {}, role).reply();
    const { cursor: before, ...stateBefore } = given().when('read_session_state', {}, role).reply();
    expect([cursor, before]).toEqual([5, 5]);
    expect(state).toEqual(stateBefore);
  });

  test('ends no long-poll of a builder', async () => {
    const session = await openSession();
    const { owner, sessionId, moderator } = session;
    const { cursor } = await session.agentB.call('read_session_state');
    const polls = [
      session.agentB.call('wait_for_my_turn', { wait: 25 }),
      session.agentB.call('read_session_state', { wait: 25, after: cursor }),
    ];
    await held(session, 2);
    await moderator.call('recommend_to_owner', input);
    await owner.respondRecommendation(sessionId, { recommendation_id: 'rec_1', decision: 'REJECT' });
    await held(session, 2);
    session.clock.advance(25_000);
    for (const poll of polls) expect(await poll).toMatchObject({ cursor, timed_out: true });
  });

  test('ends the long-poll of the moderator when the owner answers', async () => {
    const session = await openSession();
    const { owner, sessionId, moderator } = session;
    await moderator.call('recommend_to_owner', input);
    await moderator.call('ack_events', { cursor: 9 });
    const poll = moderator.call('wait_for_activity', { wait_seconds: 25 });
    await held(session);
    await owner.respondRecommendation(sessionId, { recommendation_id: 'rec_1', decision: 'REJECT', note: 'Not now.' });
    expect(await poll).toMatchObject({
      events: [{ kind: 'recommendation.answered', data: { decision: 'REJECT', note: 'Not now.' } }],
    });
  });
});
