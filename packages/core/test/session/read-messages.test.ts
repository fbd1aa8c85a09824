import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { proposed, taskAssigned, turnPosted } from '../past.ts';

const proposals = (count: number, position = 'x'): PastEvent[] =>
  Array.from({ length: count }, (_, index) =>
    proposed('agent_a', `d_${index + 1}`, { topic: `Topic ${index + 1}`, position }),
  );

const page = (past: readonly PastEvent[], after: number) => {
  const { messages, next_cursor, more } = given(past).when('read_messages', { after }, 'agent_b').reply();
  return { ids: messages.map(({ id }) => id), next_cursor, more };
};

describe('read_messages', () => {
  test('starts at the beginning without a cursor', () => {
    given([turnPosted('agent_a', 0)])
      .when('read_messages', {}, 'agent_b')
      .thenReply({
        messages: [
          { id: 5, at: '2026-01-05T09:00:00.000Z', from: 'owner', kind: 'session.started', body: {} },
          {
            id: 6,
            at: '2026-01-05T09:00:00.000Z',
            from: 'agent_a',
            kind: 'turn.posted',
            body: { turn_index: 0, round: 1, next_agent: 'agent_b', summary: 'Turn 0.' },
          },
        ],
        next_cursor: 6,
        more: false,
      });
  });

  test('returns only messages above the cursor', () => {
    expect(page(proposals(3), 6)).toEqual({ ids: [7, 8], next_cursor: 8, more: false });
  });

  test('returns the given cursor if there is no message above it', () => {
    expect(page(proposals(3), 8)).toEqual({ ids: [], next_cursor: 8, more: false });
  });

  test.each([9, 500, 2_147_483_647])('refuses the cursor %i beyond the head, and names the head', (after) => {
    given(proposals(3))
      .when('read_messages', { after }, 'agent_b')
      .thenFails('INVALID_INPUT', {
        issues: [{ path: 'after', message: 'Must be at most 8, the latest id you can see.' }],
      });
  });

  test('accepts the cursor of a state view, which can be beyond the last message because of an action', () => {
    const past = [...proposals(3), taskAssigned('act_1', 'agent_b')];
    expect(given(past).when('read_session_state', {}, 'agent_b').reply().cursor).toBe(9);
    expect(page(past, 9)).toEqual({ ids: [], next_cursor: 9, more: false });
    given(past).when('read_messages', { after: 9 }, 'agent_a').thenFails('INVALID_INPUT');
  });

  test('returns 50 messages per page, up to the last message', () => {
    const past = proposals(120);
    const first = page(past, 0);
    expect([first.ids.length, first.next_cursor, first.more]).toEqual([50, 54, true]);
    const second = page(past, first.next_cursor);
    expect([second.ids[0], second.ids.length, second.next_cursor, second.more]).toEqual([55, 50, 104, true]);
    const third = page(past, second.next_cursor);
    expect([third.ids.length, third.next_cursor, third.more]).toEqual([21, 125, false]);
  });

  test('reports that no message follows a page that is exactly full', () => {
    expect(page(proposals(50), 5)).toMatchObject({ next_cursor: 55, more: false });
  });

  test('ends a page before 60,000 characters', () => {
    const past = proposals(30, 'x'.repeat(4_000));
    const { messages, next_cursor, more } = given(past).when('read_messages', { after: 5 }, 'agent_b').reply();
    expect([messages.length, next_cursor, more]).toEqual([14, 19, true]);
    expect(JSON.stringify(messages).length).toBeLessThanOrEqual(60_000);
    expect(page(past, 19).ids).toHaveLength(14);
  });

  test('lets exactly 60,000 characters pass, and not one more', () => {
    const facts = Array.from({ length: 28 }, () => ({ claim: 'x'.repeat(2_000) }));
    const past = (chars: number) => [
      turnPosted('agent_a', 0, { verified_facts: facts }),
      turnPosted('agent_b', 1, { summary: 'x'.repeat(chars) }),
    ];
    const { messages } = given(past(1)).when('read_messages', { after: 5 }, 'agent_b').reply();
    const chars = messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
    expect(page(past(60_001 - chars), 5).ids).toEqual([6, 7]);
    expect(page(past(60_002 - chars), 5).ids).toEqual([6]);
  });

  test('gives at least one message of any length', () => {
    const facts = Array.from({ length: 40 }, () => ({ claim: 'x'.repeat(2_000) }));
    const past = [turnPosted('agent_a', 0, { verified_facts: facts }), proposed('agent_a', 'd_1')];
    expect(page(past, 5)).toEqual({ ids: [6], next_cursor: 6, more: true });
  });
});
