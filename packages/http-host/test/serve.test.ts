import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { connectionsWithin } from '../src/connections.ts';
import { serve } from '../src/index.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

const PREFIX = '/api/public/agent';
const HEAD = [`GET ${PREFIX}/x HTTP/1.1`, 'Host: a', '', ''] as const;

/** A `HostPort` that answers requests only after `drain` is called. */
function createHeldPort() {
  const echo = createEchoPort();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    ...echo,
    callRoute: async (request: Parameters<typeof echo.callRoute>[0]) => {
      const answer = await echo.callRoute(request);
      await released;
      return answer;
    },
    drain: async () => release(),
  };
}

describe('serve', () => {
  it('sets the limits of a public server', async () => {
    const { server } = await start(createEchoPort());
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 });
  });

  it('returns its address, also for IPv6', async () => {
    const serving = await serve(() => {}, { host: '::1', port: 0 });
    onTestFinished(() => serving.close());
    expect(serving.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  });

  it('also listens on the other loopback address, and on none after it is closed', async () => {
    const answer = { hello: 'there' };
    const serving = await serve((_request, response) => void response.end(JSON.stringify(answer)), {
      host: '127.0.0.1',
      port: 0,
    });
    const twin = serving.url.replace('127.0.0.1', '[::1]');
    expect(await (await fetch(twin)).json()).toEqual(answer);
    await serving.close();
    await expect(fetch(twin)).rejects.toThrow();
  });

  it('releases both addresses if its server is closed directly', async () => {
    const serving = await serve(() => {}, { host: '127.0.0.1', port: 0 });
    await new Promise((resolve) => serving.server.close(resolve));
    const again = await serve(() => {}, { host: '127.0.0.1', port: Number(new URL(serving.url).port) });
    await again.close();
  });

  it('rejects if another program uses the other loopback address, and releases its own', async () => {
    const other = createServer().listen(0, '::1');
    await new Promise((resolve) => other.once('listening', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(serve(() => {}, { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      address: '::1',
    });
    const own = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => own.once('listening', resolve));
    own.close();
  });

  it('rejects if the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(serve(() => {}, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('keeps connections alive between requests', async () => {
    const wire = await openWire((await start(createEchoPort())).port);
    wire.write(...HEAD);
    await wire.until(/\}$/);
    wire.write(...HEAD);
    await wire.until(/\}HTTP[\s\S]*\}$/);
  });
});

describe('close', () => {
  it('finishes requests in progress, and accepts no new ones', async () => {
    const parley = createHeldPort();
    const { port, close, url } = await start(parley);
    const wire = await openWire(port);
    wire.write(...HEAD);
    await expect.poll(() => parley.seen.length).toBe(1);
    const closed = close();
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close/);
    await closed;
    await expect(ask(url, `${PREFIX}/x`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('answers new and open connections during the notice period, and closes each after its answer', async () => {
    const parley = createHeldPort();
    let finish = () => {};
    const asked = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const drain = async () => {
      await parley.drain();
      await asked;
    };
    const { port, close, url } = await start({ ...parley, drain });
    const [held, kept] = [await openWire(port), await openWire(port)];
    held.write(...HEAD);
    await expect.poll(() => parley.seen.length).toBe(1);
    const started = performance.now();
    const closed = close(400);
    expect(await held.until(/\}$/)).toMatch(/Connection: close/);
    kept.write(...HEAD);
    expect(await kept.until(/\}$/)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close/);
    const late = await openWire(port);
    late.write(...HEAD);
    expect(await late.until(/\}$/)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close/);
    finish();
    await closed;
    expect(performance.now() - started).toBeGreaterThan(395);
    await expect(ask(url, `${PREFIX}/x`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends silent connections and half-sent bodies of answered requests', async () => {
    const { port, close } = await start(createEchoPort(), {}, { graceMs: 3_600_000 });
    const [silent, kept, half] = [await openWire(port), await openWire(port), await openWire(port)];
    kept.write(...HEAD);
    half.write(`POST ${PREFIX}/closed HTTP/1.1`, 'Host: a', 'Content-Length: 10', '', '1');
    await Promise.all([kept.until(/\}$/), half.until(/\}$/)]);
    await close();
    for (const { socket } of [silent, kept, half]) await expect.poll(() => socket.closed).toBe(true);
  });

  it('waits for a missing answer at most until the end of the grace period', async () => {
    const parley = { ...createHeldPort(), drain: async () => {} };
    const { port, close } = await start(parley, {}, { graceMs: 100 });
    const wire = await openWire(port);
    wire.write(...HEAD);
    await expect.poll(() => parley.seen.length).toBe(1);
    await close();
    expect(wire.received).toBe('');
  });
});

describe('the number of connections', () => {
  const half = [`POST ${PREFIX}/x HTTP/1.1`, 'Host: a', 'Content-Length: 10', '', '1'] as const;

  it('is limited by closing the least recently used idle or incomplete connection', async () => {
    const { port } = await start(createEchoPort(), {}, { maxConnections: 3 });
    const [silent, inHead, inBody] = [await openWire(port), await openWire(port), await openWire(port)];
    inHead.write('GET / HTTP/1.1', 'Host');
    inBody.write(...half);
    for (const { socket } of [silent, inHead, inBody]) {
      const next = await openWire(port);
      next.write(...HEAD);
      await next.until(/\}$/);
      await expect.poll(() => socket.closed).toBe(true);
    }
  });

  it('is limited by closing a connection of the address with the most connections', async () => {
    const { port } = await start(createEchoPort(), {}, { maxConnections: 3 });
    const single = await openWire(port, '127.0.0.2');
    const [first, second] = [await openWire(port), await openWire(port)];
    const third = await openWire(port);
    await expect.poll(() => first.socket.closed).toBe(true);
    const other = await openWire(port, '127.0.0.3');
    await expect.poll(() => second.socket.closed).toBe(true);
    for (const wire of [single, third, other]) {
      wire.write(...HEAD);
      await wire.until(/\}$/);
    }
  });

  it('is limited by closing the new connection while all others wait for their answers', async () => {
    const parley = createHeldPort();
    const { port, close } = await start(parley, {}, { maxConnections: 2 });
    const [one, two] = [await openWire(port), await openWire(port)];
    for (const wire of [one, two]) wire.write(...HEAD);
    await expect.poll(() => parley.seen.length).toBe(2);
    const third = await openWire(port, '127.0.0.2');
    await expect.poll(() => third.socket.closed).toBe(true);
    const closed = close();
    for (const wire of [one, two]) await wire.until(/\}$/);
    await closed;
  });

  it.each([
    [1_024, 832],
    [256, 64],
    [64, 32],
    ['unlimited', Number.POSITIVE_INFINITY],
    [undefined, Number.POSITIVE_INFINITY],
  ])('with a limit of %s open files is at most %s', (limit, most) => {
    expect(connectionsWithin(limit)).toBe(most);
  });
});

describe('a client that leaves', () => {
  it('aborts its request, and no other', async () => {
    const parley = createHeldPort();
    const { port } = await start(parley);
    const [leaver, stayer] = [await openWire(port), await openWire(port)];
    leaver.write(...HEAD);
    await expect.poll(() => parley.seen.length).toBe(1);
    stayer.write(`POST ${PREFIX}/x HTTP/1.1`, 'Host: a', 'Content-Length: 2', '', '{}');
    await expect.poll(() => parley.seen.length).toBe(2);
    leaver.socket.destroy();
    await expect.poll(() => parley.seen[0]?.signal?.aborted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(parley.seen[1]?.signal?.aborted).toBe(false);
  });

  it('aborts every request that it had pipelined', async () => {
    const parley = createHeldPort();
    const { port } = await start(parley);
    const wire = await openWire(port);
    wire.write(...HEAD.slice(0, -1), ...HEAD);
    await expect.poll(() => parley.seen.length).toBe(2);
    wire.socket.destroy();
    await expect.poll(() => parley.seen.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  });
});
