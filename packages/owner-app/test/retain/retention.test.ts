import { createMemoryStorage } from '@parley/core';
import { expect, onTestFinished, test } from 'vitest';
import { startRetention } from '../../src/server/retain/retention.ts';
import { SESSION } from '../running-app.ts';
import { DAYS, openRetained } from './retained.ts';

const MINUTE_MS = 60_000;

test('the retention sweeps all accounts, in one of several processes', async () => {
  const world = await openRetained(createMemoryStorage());
  const sessionId = await world.endedSession();
  const counted: string[] = [];
  const { owner, storage, clock, folder, parley, people } = world;
  const first = await parley.owner('owner').createSession({ ...SESSION, title: 'First' });
  await parley.owner('owner').end(first.session_id, { end_reason: 'CANCELLED' });
  world.afterDays(DAYS, 1);
  const retention = { days: DAYS, to: { kind: 'folder', folder } as const };
  for (const process of ['one', 'two']) {
    const count = (outcome: string): void => void counted.push(`${process} ${outcome}`);
    const log = { info: () => undefined, warn: () => undefined };
    const running = startRetention({ retention, storage, parley, people, log, clock, count });
    onTestFinished(() => running.close());
  }
  expect(counted).toEqual([]);
  clock.advance(MINUTE_MS);
  const erased = expect.stringMatching(/^(one|two) erased$/);
  await expect.poll(() => counted).toEqual([erased, erased]);
  expect(new Set(counted).size).toBe(1);
  await expect(owner.view(sessionId)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
});
