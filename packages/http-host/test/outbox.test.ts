import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AnsweredRequest, createOutbox, type OutboxLimits } from '../src/index.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';
import { openUnread } from './unread.ts';

const PREFIX = '/api/public/agent';
/** An answer that is far longer than what the operating system buffers for a client. */
const LONG = 'x'.repeat(16_000_000);

const asking = (client: string): string[] => [
  ...[`GET ${PREFIX}/x HTTP/1.1`, 'Host: a', `Authorization: Bearer prt_${client}`, '', ''],
];

/** A host that answers every request with `body`. */
async function startLong(limits: Partial<OutboxLimits>, body = LONG) {
  const entries: AnsweredRequest[] = [];
  const port = createEchoPort();
  const answering = {
    ...port,
    callRoute: async (request: Parameters<typeof port.callRoute>[0]) => {
      port.seen.push(request);
      return { status: 200, headers: {}, body };
    },
  };
  const outbox = createOutbox(limits);
  const started = await start(answering, { outbox, log: (entry) => void entries.push(entry) });
  const ask = (client: string) => openUnread(started.port, asking(client));
  const cutOffs = () => entries.map(({ status, cutOff }) => [status, cutOff]);
  return { ...started, ask, cutOffs, seen: port.seen };
}

describe('a client that does not read its answers', () => {
  it('is disconnected if it reads nothing within the time limit', async () => {
    const { ask, cutOffs } = await startLong({
      perClientBytes: 50_000_000,
      perProcessBytes: 1_000_000_000,
      stallMs: 300,
    });
    await ask('a');
    await expect.poll(cutOffs).toEqual([[499, 'stalled']]);
  });

  it('is not disconnected while it reads, however slowly', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const unlimited = { perClientBytes: 50_000_000, perProcessBytes: 50_000_000 };
    const { ask, cutOffs } = await startLong({ ...unlimited, stallMs: 150_000 });
    const slow = await ask('a');
    let pieces = 0;
    slow.read(() => {
      pieces += 1;
      vi.advanceTimersByTime(1_000);
    });
    await expect.poll(() => slow.received).toBeGreaterThan(LONG.length);
    expect(pieces).toBeGreaterThan(150);
    await expect.poll(cutOffs).toEqual([[200, undefined]]);
    expect(slow.isClosed).toBe(false);
  });

  it('is disconnected if its unsent bytes exceed its limit; other clients are not', async () => {
    const { ask, cutOffs } = await startLong({ perClientBytes: 32_000_000, perProcessBytes: 1_000_000_000 });
    const kept = [await ask('a'), await ask('a'), await ask('b')];
    const third = await ask('a');
    await expect.poll(cutOffs).toEqual([[499, 'client_bytes']]);
    third.read();
    await expect.poll(() => third.isClosed).toBe(true);
    for (const each of kept) {
      each.read();
      await expect.poll(() => each.received).toBeGreaterThan(LONG.length);
    }
  });

  it('is disconnected immediately at twice its limit', async () => {
    const { ask, cutOffs } = await startLong({ perClientBytes: 7_500_000 });
    await ask('a');
    await expect.poll(cutOffs).toEqual([[499, 'client_bytes']]);
  });

  it('can use its limit again after reading', async () => {
    const { ask, cutOffs } = await startLong({ perClientBytes: 32_000_000, perProcessBytes: 1_000_000_000 });
    for (let round = 1; round <= 3; round += 1) {
      const both = [await ask('a'), await ask('a')];
      for (const each of both) each.read();
      await expect.poll(() => cutOffs().length).toBe(2 * round);
    }
    expect(cutOffs()).toEqual(Array.from({ length: 6 }, () => [200, undefined]));
  });

  it('is disconnected if it uses most of the memory that the process allows for unsent answers', async () => {
    const { ask, cutOffs } = await startLong({ perClientBytes: 50_000_000, perProcessBytes: 50_000_000 });
    await ask('a');
    await ask('a');
    const others = [await ask('b'), await ask('c'), await ask('d')];
    await expect.poll(cutOffs).toEqual([
      [499, 'process_bytes'],
      [499, 'process_bytes'],
    ]);
    for (const each of others) {
      each.read();
      await expect.poll(() => each.received).toBeGreaterThan(LONG.length);
    }
  });

  it('is identified by its address if it has no token', async () => {
    const { port, cutOffs } = await startLong({ perClientBytes: 32_000_000, perProcessBytes: 1_000_000_000 });
    const head = [`GET ${PREFIX}/x HTTP/1.1`, 'Host: a', '', ''];
    for (let count = 1; count <= 3; count += 1) await openUnread(port, head);
    await expect.poll(cutOffs).toEqual([[499, 'client_bytes']]);
  });

  it('is disconnected if it pipelines too many requests on one connection', async () => {
    const { port, cutOffs } = await startLong({ perClientBytes: 8_000_000 }, 'x'.repeat(1_000_000));
    const heads = Array.from({ length: 100 }, () => asking('a').slice(0, -1)).flat();
    await openUnread(port, [...heads, '']);
    await expect.poll(() => cutOffs().length).toBe(100);
    expect(cutOffs().filter(([status, cutOff]) => status === 499 && cutOff === 'client_bytes').length).toBeGreaterThan(
      80,
    );
  });
});
