import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import type { AnsweredRequest } from '../src/index.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

const PREFIX = '/api/public/agent';
const TOKEN = 'prt_8fK2mQ0zR4tYw6Lp1XcV9b';

async function startLogged() {
  const entries: AnsweredRequest[] = [];
  return { ...(await start(createEchoPort(), { log: (entry) => void entries.push(entry) })), entries };
}

describe('the log', () => {
  it('has one entry for an answered request, with its route', async () => {
    const { url, entries } = await startLogged();
    const { headers } = await ask(url, `${PREFIX}/sessions/s/turns?wait=1`, { body: '{}' });
    await expect.poll(() => entries).toHaveLength(1);
    expect(entries[0]).toEqual({
      method: 'POST',
      path: `${PREFIX}/sessions/s/turns`,
      route: `${PREFIX}/sessions/:session_id/turns`,
      status: 200,
      ms: expect.any(Number),
      requestId: headers['x-request-id'],
    });
  });

  it('has no route if none matched', async () => {
    const { url, entries } = await startLogged();
    await ask(url, `${PREFIX}/closed`);
    await expect.poll(() => entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ path: `${PREFIX}/closed`, status: 401 });
    expect(entries[0]).not.toHaveProperty('route');
  });

  it('never contains a token, wherever the client sent it', async () => {
    const { url, entries } = await startLogged();
    const headers = { Authorization: `Bearer ${TOKEN}`, traceparent: TOKEN, 'X-Request-Id': TOKEN };
    await ask(url, `${PREFIX}/${TOKEN}?token=${TOKEN}`, { headers, body: `{"token":"${TOKEN}"}` });
    await ask(url, `${PREFIX}/sessions/x${TOKEN}/turns`, { headers, body: '{}' });
    await ask(url, `${PREFIX}/prt%5F${TOKEN.slice(4)}`, { headers });
    await expect.poll(() => entries).toHaveLength(3);
    expect(entries.map(({ path }) => path)).toEqual([
      `${PREFIX}/:token`,
      `${PREFIX}/sessions/:token/turns`,
      `${PREFIX}/:token`,
    ]);
    expect(JSON.stringify(entries)).not.toContain(TOKEN.slice(4));
  });

  it('has status 499 for a client that disconnected', async () => {
    const { port, entries } = await startLogged();
    const wire = await openWire(port);
    wire.write(`POST ${PREFIX}/x HTTP/1.1`, 'Host: a', 'Content-Length: 10', '', '1');
    await new Promise((resolve) => setTimeout(resolve, 50));
    wire.socket.destroy();
    await expect.poll(() => entries).toHaveLength(1);
    expect(entries[0]?.status).toBe(499);
  });
});
