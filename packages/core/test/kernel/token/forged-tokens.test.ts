import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

const forged = (n: number): string => `prt_forged${n}`;

test('a flood of forged tokens causes no storage call and does not change the count of a real token', async () => {
  const { here, tokenA } = await openWorld({ limits: { perToken: 3 }, sharedLimits: true });
  for (let n = 0; n < 2; n += 1) expect((await here.send('GET state', { token: tokenA })).status).toBe(200);
  here.tape.taken();
  for (let n = 0; n < 25_000; n += 1) {
    const { status } = await here.send('GET state', { token: forged(n) });
    if (status !== 401) expect.fail(`a forged token was answered ${status}`);
  }
  expect(here.tape.taken()).toEqual([]);
  expect((await here.send('GET state', { token: tokenA })).status).toBe(200);
  expect((await here.send('GET state', { token: tokenA })).code).toBe('RATE_LIMITED');
});

test('one forged token is limited like a real one', async () => {
  const { here } = await openWorld({ limits: { perToken: 2 } });
  const codes: unknown[] = [];
  for (let n = 0; n < 3; n += 1) codes.push((await here.send('GET state', { token: forged(1) })).code);
  expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'RATE_LIMITED']);
});
