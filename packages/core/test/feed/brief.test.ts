import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { finds, taken } from '../moderation.ts';
import { accepted, acknowledged, answered, asked, directed, proposed, turnPosted } from '../past.ts';
import { decided, play } from '../story.ts';

const kindsOf = ({ events }: { readonly events: readonly { readonly kind: string }[] }): string[] =>
  events.map(({ kind }) => kind);

const start = taken(decided);
const news = [
  ...start,
  turnPosted('agent_b', 1),
  proposed('agent_b', 'd_2', { topic: 'Cache', in_turn: true }),
  asked('agent_b', 'q_1', { in_turn: true }),
  accepted('agent_a', 'd_2'),
  accepted('agent_b', 'd_2'),
  directed('i_1'),
  acknowledged('agent_a', 'i_1'),
  answered('agent_a', 'q_1', 'None.'),
];

describe('the feed in brief', () => {
  test.each(['get_session_events', 'wait_for_activity'] as const)(
    'only counts the events that have no words: %s',
    (tool) => {
      const page = given(news).when(tool, { brief: true }, 'moderator').reply();
      expect(kindsOf(page)).toEqual(['turn.posted', 'intervention.opened', 'question.answered']);
      expect(page.counted).toEqual({
        'decision.proposed': 1,
        'question.asked': 1,
        'decision.accepted': 2,
        'intervention.acknowledged': 1,
      });
    },
  );

  test('ends at the same cursor as the whole feed', () => {
    const [brief, whole] = [true, false].map((value) =>
      given(news).when('get_session_events', { brief: value }, 'moderator').reply(),
    );
    expect(brief?.next_cursor).toBe(whole?.next_cursor);
    expect(brief?.head).toBe(whole?.head);
    expect(whole?.events).toHaveLength(8);
    expect(whole).not.toHaveProperty('counted');
  });

  test('passes a page on which all events are only counted', () => {
    const past = [...start, accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')];
    const page = given(past).when('get_session_events', { brief: true, limit: 1 }, 'moderator').reply();
    expect(page.events).toEqual([]);
    expect(page.counted).toEqual({ 'decision.accepted': 1 });
    expect(page.next_cursor).toBe(page.head - 1);
  });

  test('counts what the moderator did itself', () => {
    const past = play(start, [finds()]);
    const page = given(past).when('get_session_events', { brief: true }, 'moderator').reply();
    expect(kindsOf(page)).toEqual([]);
    expect(page.counted).toEqual({ 'finding.raised': 1 });
  });
});
