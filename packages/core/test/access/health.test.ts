import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSession } from '../../src/testing/index.ts';

test('health answers everybody with the time of the service', async () => {
  const { parley, clock } = await openSession();
  clock.advance(1_500);
  const answer = await parley.callRoute({
    method: 'GET',
    path: '/health',
    query: new URLSearchParams(),
    authorization: [],
    address: '127.0.0.1',
    idempotencyKeys: [],
    readBody: async () => '',
  });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual({
    ok: true,
    service: 'parley',
    version: JSON.parse(readFileSync('packages/core/package.json', 'utf8')).version,
    time: '2026-01-05T09:00:01.500Z',
  });
});
