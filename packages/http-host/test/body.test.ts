import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { createHttpHost, serve } from '../src/index.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

const PREFIX = '/api/public/agent';
const send = async (body: string | Buffer, headers = {}) =>
  await ask((await start(createEchoPort())).url, `${PREFIX}/anything`, { body, headers });
const CHUNKED = { 'Transfer-Encoding': 'chunked' };

describe('a body', () => {
  it.each([
    ['one-byte', 'a'.repeat(200_000)],
    ['two-byte', 'é'.repeat(200_000)],
    ['three-byte', '€'.repeat(200_000)],
    ['four-byte', '😀'.repeat(200_000)],
    ['accented', 'e\u0301'.repeat(100_000)],
    ['mixed', 'aé文😀'.repeat(50_000)],
  ])('passes with exactly 200,000 %s characters', async (_, body) => {
    expect((await send(body)).json.chars).toBe(200_000);
    expect((await send(body, CHUNKED)).json.chars).toBe(200_000);
  });

  it.each([
    ['one-byte', 'a'.repeat(200_001)],
    ['three-byte', '€'.repeat(200_001)],
    ['four-byte', `a${'😀'.repeat(200_000)}`],
    ['accented', `${'e\u0301'.repeat(100_000)}e`],
    ['mixed', `${'aé文😀'.repeat(50_000)}😀`],
  ])('is too large with 200,001 %s characters', async (_, body) => {
    const heard = await send(body);
    expect([heard.status, heard.json.error]).toEqual([413, 'BODY_TOO_LARGE']);
    expect((await send(body, CHUNKED)).status).toBe(413);
  });

  it('is an empty text if the request has no body', async () => {
    expect((await send('')).json.chars).toBe(0);
    const { url } = await start(createEchoPort());
    expect((await ask(url, `${PREFIX}/x`)).json.chars).toBe(0);
  });

  it('must be UTF-8, to its last byte', async () => {
    expect((await send(Buffer.from([0x7b, 0xff, 0x7d]))).json.error).toBe('INVALID_JSON');
    expect((await send(Buffer.from([0x7b, 0xe2, 0x82]))).json.error).toBe('INVALID_JSON');
    expect((await send(Buffer.from([0xed, 0xa0, 0x80]))).json.error).toBe('INVALID_JSON');
  });

  it.each(['gzip', 'br', 'identity, gzip', 'x-"nonsense"'])(
    'under Content-Encoding %s is 415, which names it',
    async (coding) => {
      const heard = await send('{}', { 'Content-Encoding': coding });
      const named = coding.replace('identity, ', '').replaceAll('"', '\\"');
      expect([heard.status, heard.json]).toEqual([
        415,
        {
          ok: false,
          error: 'UNSUPPORTED_ENCODING',
          message: `Content-Encoding "${named}" is not supported.`,
          hint: 'Send the body uncompressed, in UTF-8, without the header Content-Encoding.',
        },
      ]);
    },
  );

  it('under Content-Encoding identity is read', async () => {
    expect((await send('{}', { 'Content-Encoding': 'identity' })).json.chars).toBe(2);
  });

  it('counts a character that arrives in two chunks once', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    const [first, second] = [Buffer.from('😀').subarray(0, 2), Buffer.from('😀').subarray(2)];
    wire.write(`POST ${PREFIX}/x HTTP/1.1`, 'Host: a', 'Content-Length: 4', '', '');
    wire.socket.write(first);
    await new Promise((resolve) => setTimeout(resolve, 50));
    wire.socket.write(second);
    expect(await wire.until(/\}$/)).toContain('"chars":1');
  });
});

describe('a body that is not read', () => {
  it('of 10 MB gets a 413 that a client can read after it has sent the whole body', async () => {
    const heard = await send(Buffer.alloc(10_000_000, 'a'));
    expect([heard.status, heard.json.error]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('is refused by its Content-Length before any byte arrives', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    wire.write(`POST ${PREFIX}/x HTTP/1.1`, 'Host: a', 'Content-Length: 800001', '', '');
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is refused if its chunks never end', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    wire.write(`POST ${PREFIX}/x HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked', '', '');
    for (let i = 0; i < 5; i += 1) wire.write((50_000).toString(16), 'a'.repeat(50_000), '');
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('gets a 401 immediately although half of it is missing, and the connection stays usable', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    wire.write(`POST ${PREFIX}/closed HTTP/1.1`, 'Host: a', 'Content-Length: 10', '', '12345');
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 401 /);
    wire.write(`67890POST ${PREFIX}/open HTTP/1.1`, 'Host: a', 'Content-Length: 2', '', '{}');
    expect(await wire.until(/"chars":2/)).toContain('HTTP/1.1 200 OK');
  });

  it('of more than 32 MB closes the connection', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    wire.write(`POST ${PREFIX}/closed HTTP/1.1`, 'Host: a', 'Content-Length: 1000000000', '', '');
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 401 /);
    wire.socket.write(Buffer.alloc(40 * 1024 * 1024));
    await expect.poll(() => wire.socket.closed).toBe(true);
  });

  it('is not mixed up with the next request on the same connection after a 413', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    wire.write(`POST ${PREFIX}/x HTTP/1.1`, 'Host: a', 'Content-Length: 300000', '', 'a'.repeat(300_000));
    await wire.until(/413/);
    wire.write(`POST ${PREFIX}/open HTTP/1.1`, 'Host: a', 'Content-Length: 2', '', '{}');
    expect(await wire.until(/"chars":2/)).toContain('HTTP/1.1 200 OK');
  });
});

describe('a body held back for 100 Continue', () => {
  const head = (path: string, expectation: string) =>
    [`POST ${PREFIX}${path} HTTP/1.1`, 'Host: a', 'Content-Length: 2', `Expect: ${expectation}`, '', ''] as const;

  it('is requested if the service reads it', async () => {
    const wire = await openWire((await start(createEchoPort())).port);
    wire.write(...head('/open', '100-continue'));
    expect(await wire.until(/\r\n\r\n$/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    wire.write('{}');
    expect(await wire.until(/"chars":2/)).toContain('HTTP/1.1 200 OK');
  });

  it('is not requested if the request is refused', async () => {
    const wire = await openWire((await start(createEchoPort())).port);
    wire.write(...head('/closed', '100-continue'));
    expect(await wire.until(/\}$/)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is read as usual with an unknown expectation', async () => {
    const wire = await openWire((await start(createEchoPort())).port);
    wire.write(...head('/open', 'the-best'));
    wire.write('{}');
    expect(await wire.until(/"chars":2/)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a body that breaks off', () => {
  it('ends its request, and the server continues', async () => {
    const parley = createEchoPort();
    const { port, url } = await start(parley);
    const wire = await openWire(port);
    wire.write(`POST ${PREFIX}/open HTTP/1.1`, 'Host: a', 'Content-Length: 10', '', '123');
    await expect.poll(() => parley.seen.length).toBe(1);
    wire.socket.destroy();
    await expect.poll(() => parley.seen[0]?.signal?.aborted).toBe(true);
    expect((await ask(url, `${PREFIX}/open`, { body: '{}' })).status).toBe(200);
  });

  it('ends its request also if the connection breaks before the body is read', async () => {
    const echo = createEchoPort();
    const outcomes: unknown[] = [];
    const late = {
      ...echo,
      callRoute: async (request: Parameters<typeof echo.callRoute>[0]) => {
        await new Promise((resolve) => request.signal?.addEventListener('abort', () => resolve(undefined)));
        await request.readBody().catch((error: unknown) => outcomes.push(Object(error).code));
        return await echo.callRoute(request);
      },
    };
    const wire = await openWire((await start(late)).port);
    wire.write(`POST ${PREFIX}/open HTTP/1.1`, 'Host: a', 'Content-Length: 10', '', '123');
    await new Promise((resolve) => setTimeout(resolve, 50));
    wire.socket.destroy();
    await expect.poll(() => outcomes).toEqual(['INVALID_JSON']);
  });

  it('that another middleware has read is an internal error, not an empty body', async () => {
    const { handler } = createHttpHost(createEchoPort());
    const serving = await serve(
      (request, response) => void request.resume().once('end', () => handler(request, response)),
      { host: '127.0.0.1', port: 0 },
    );
    onTestFinished(() => serving.close());
    expect((await ask(serving.url, `${PREFIX}/open`, { body: '{}' })).status).toBe(500);
  });
});
