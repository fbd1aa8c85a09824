import { createMemoryStorage, createParley, type LoggedEvent, type Owner } from '@parley/core';
import { createOutbox } from '@parley/http-host';
import { describe, expect, test } from 'vitest';
import { openUnread } from '../../../http-host/test/unread.ts';
import { createMetrics } from '../../src/server/observing.ts';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { KEY, runApp } from '../running-app.ts';

/** An app with endless logs and event streams. `taken` counts the records that were read from them. */
async function runEndless(stallMs: number) {
  const parley = await createParley({ storage: createMemoryStorage() });
  const taken = { lines: 0, events: 0 };
  const endless: Pick<Owner, 'exportLog' | 'watch'> = {
    async *exportLog() {
      for (;;) {
        taken.lines += 1;
        yield `"${'x'.repeat(100_000)}"\n`;
      }
    },
    async *watch() {
      for (;;) {
        taken.events += 1;
        yield eventOf(taken.events);
      }
    },
  };
  const outbox = createOutbox({ stallMs });
  const owner = (ownerId: string) => ({ ...parley.owner(ownerId), ...endless });
  const app = await runApp({ parley: { ...parley, owner }, outbox });
  return { ...app, taken, sessionId: await createSession(app.url) };
}

const eventOf = (seq: number): LoggedEvent => ({
  ...{
    seq,
    kind: 'turn.posted',
    v: 1,
    actor: 'agent_a',
    at: '2026-01-05T09:00:00.000Z',
    prevHash: '',
    hash: '',
    bytes: 100_000,
  },
  data: { summary: 'x'.repeat(100_000) },
});

const reading = (path: string): string[] => [
  ...[`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${KEY}`, '', ''],
];

describe('a stream that nobody reads', () => {
  test.each([
    ['the log', 'log', 'lines'],
    ['the events', 'events', 'events'],
  ] as const)('of %s takes no more than goes out, and ends', async (_what, route, member) => {
    const { url, taken, sessionId, requests, errors } = await runEndless(400);
    await openUnread(Number(new URL(url).port), reading(`/owner/api/sessions/${sessionId}/${route}`));
    const isOver = () => requests.find(({ path }) => path.endsWith(route));
    await expect.poll(isOver).toMatchObject({ status: 499, cutOff: 'stalled' });
    // The buffers of the operating system hold fewer than 200 records of 100,000 characters.
    expect(taken[member]).toBeLessThan(200);
    const then = taken[member];
    expect((await ask(url, `/owner/api/sessions/${sessionId}`, { headers: AS_OWNER })).status).toBe(200);
    expect([taken[member], errors]).toEqual([then, []]);
  });

  test('is not cut off while it is read, at any length', async () => {
    const { url, taken, sessionId, requests } = await runEndless(60_000);
    const reader = await openUnread(Number(new URL(url).port), reading(`/owner/api/sessions/${sessionId}/log`));
    reader.read();
    await expect.poll(() => reader.received).toBeGreaterThan(20_000_000);
    expect(taken.lines).toBeGreaterThan(160);
    expect(requests.filter(({ path }) => path.endsWith('/log'))).toEqual([]);
  });
});

describe('a client that was cut off', () => {
  test('is counted by what was too much', async () => {
    const metrics = createMetrics({ ofProcess: false });
    metrics.countRequest({ path: '/api/public/mcp', status: 499, cutOff: 'client_bytes' });
    metrics.countRequest({ path: '/api/public/mcp', status: 499 });
    const text = await metrics.text();
    expect(text).toContain('parley_http_cut_offs_total{reason="client_bytes"} 1\n');
    expect(text).toContain('parley_http_cut_offs_total{reason="stalled"} 0\n');
  });
});
