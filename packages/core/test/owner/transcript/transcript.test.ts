import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { proposed, turnPosted } from '../../past.ts';

describe('transcript', () => {
  test('continues after a cursor', () => {
    const { messages } = given([turnPosted('agent_a', 0), proposed('agent_b', 'd_1')])
      .when('transcript', { after: 6 }, 'owner')
      .reply();
    expect(messages.map(({ id }) => id)).toEqual([7]);
  });

  const talk = [
    turnPosted('agent_a', 0, { summary: 'The store is PostgreSQL.' }),
    proposed('agent_b', 'd_1', { position: 'SQLite, ONE file.' }),
    turnPosted('agent_b', 1, { summary: 'One store, please.' }),
  ];

  test.each([
    [{ last: 2 }, [7, 8]],
    [{ last: 500 }, [5, 6, 7, 8]],
    [{ by: 'agent_b' }, [7, 8]],
    [{ kind: 'turn.posted' }, [6, 8]],
    [{ kind: 'turn' }, [6, 8]],
    [{ kind: 'tur' }, []],
    [{ grep: 'one STORE' }, [7, 8]],
    [{ grep: 'sqlite' }, [7]],
    [{ grep: 'summary' }, []],
    [{ grep: 'store', by: 'agent_a', last: 3 }, [6]],
    [{ grep: 'store', after: 6 }, [7, 8]],
  ] as const)('reads the messages that %j asks for', (input, ids) => {
    const page = given(talk).when('transcript', input, 'owner').reply();
    expect(page.messages.map(({ id }) => id)).toEqual(ids);
    expect(page).toMatchObject({ next_cursor: 8, more: false });
  });

  test('searches 500 messages at a time, and returns the cursor for the next call', () => {
    const many = Array.from({ length: 600 }, (_, index) => turnPosted('agent_a', index, { summary: `No. ${index}.` }));
    const first = given(many).when('transcript', { grep: '599.' }, 'owner').reply();
    expect(first).toEqual({ messages: [], next_cursor: 504, more: true });
    const { messages } = given(many).when('transcript', { grep: '599.', after: 504 }, 'owner').reply();
    expect(messages.map(({ id }) => id)).toEqual([605]);
  });

  test.each([{ last: 0 }, { last: 501 }, { grep: ' ' }, { by: 'nobody' }])('refuses %j', (input) => {
    given(talk)
      .when('transcript', input as never, 'owner')
      .thenFails('INVALID_INPUT');
  });

  test('refuses two different starting points', () => {
    const message = 'Must be left out with `after`, which says where the page begins.';
    given(talk)
      .when('transcript', { after: 6, last: 2 }, 'owner')
      .thenFails('INVALID_INPUT', { issues: [{ path: 'last', message }] });
  });

  describeOwner('transcript', { statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});
