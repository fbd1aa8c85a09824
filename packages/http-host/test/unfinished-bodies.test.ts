import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import type { AnsweredRequest } from '../src/index.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

const PATH = '/api/public/agent/anything';
/** A body of 399,996 bytes, 4 bytes less than Content-Length says. */
const UNFINISHED = 'é'.repeat(199_998);

/**
 * Starts a host that records its log lines. `open` sends the head of a request with a body of 400,000 bytes, and only a
 * part of that body.
 */
async function startLogging() {
  const entries: AnsweredRequest[] = [];
  const started = await start(createEchoPort(), { log: (entry) => void entries.push(entry) });
  const open = async (id: number, part = UNFINISHED) => {
    const wire = await openWire(started.port);
    wire.write(`POST ${PATH}/${id} HTTP/1.1`, 'Host: a', 'Content-Length: 400000', '', part);
    return wire;
  };
  const cutOff = () => entries.filter((entry) => entry.cutOff === 'unfinished_bodies' && entry.status === 499);
  return { ...started, open, entries, cutOff };
}

describe('unfinished bodies', () => {
  it('of more than 16 MB in total are dropped, the oldest first, and a later request is answered', async () => {
    const { url, open, entries, cutOff } = await startLogging();
    for (let id = 1; id <= 100; id += 1) await open(id);
    await expect.poll(() => cutOff().length).toBeGreaterThanOrEqual(60);
    const whole = await ask(url, `${PATH}/whole`, { body: 'é'.repeat(200_000) });
    expect([whole.status, whole.json.chars]).toEqual([200, 200_000]);
    const ids = cutOff().map(({ path }) => Number(path.split('/').at(-1)));
    expect(Math.max(...ids)).toBeLessThan(100);
    expect(entries.map(({ status }) => status).filter((status) => status !== 499)).toEqual([200]);
  });

  it('are no longer counted when they are complete, refused or their client has disconnected', async () => {
    const { url, open, entries, cutOff } = await startLogging();
    const waiting = await open(0, 'é');
    for (let round = 0; round < 25; round += 1) {
      const gone = await open(1);
      gone.socket.resetAndDestroy();
      await ask(url, PATH, { body: 'é'.repeat(200_000) });
      await ask(url, PATH, { body: 'é'.repeat(200_001), headers: { 'Transfer-Encoding': 'chunked' } });
    }
    await expect.poll(() => entries.length).toBe(75);
    expect(cutOff()).toEqual([]);
    waiting.write('é'.repeat(199_999));
    expect(await waiting.until(/"chars":\d+/)).toContain('"chars":200000');
  });
});
