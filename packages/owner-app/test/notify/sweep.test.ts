import { openSession } from '@parley/core/testing';
import { expect, test } from 'vitest';
import { openAnother, openTold } from './running-notifier.ts';

test('a search of all sessions reads eight waiting sessions at the same time, and all of them in the end', async () => {
  const session = await openSession();
  for (let made = 1; made < 20; made += 1) await openAnother(session);
  const { owner } = session;
  const read = new Set<string>();
  let running = 0;
  let most = 0;
  await openTold({
    session,
    changes: {
      owner: {
        ...owner,
        async dueNotices(sessionId) {
          read.add(sessionId);
          running += 1;
          most = Math.max(most, running);
          await new Promise(setImmediate);
          running -= 1;
          return await owner.dueNotices(sessionId);
        },
      },
    },
  });
  expect(read.size).toBe(19);
  expect(most).toBe(8);
});
