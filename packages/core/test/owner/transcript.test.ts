import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { describeOwner } from '../gates.ts';
import { proposed, turnPosted } from '../past.ts';

describe('transcript', () => {
  test('reads what the agents read, from the start', () => {
    given([turnPosted('agent_a', 0)])
      .when('transcript', {}, 'owner')
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

  test('reads on after a cursor', () => {
    const { messages } = given([turnPosted('agent_a', 0), proposed('agent_b', 'd_1')])
      .when('transcript', { after: 6 }, 'owner')
      .reply();
    expect(messages.map(({ id }) => id)).toEqual([7]);
  });

  describeOwner('transcript', { statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});
