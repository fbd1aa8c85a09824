import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { AS_OWNER, ask, createSession, seatAgent } from './ask.ts';
import { KEY, runApp } from './running-app.ts';

const REST = '/api/public/agent';
const OWNER = '/owner/api';

interface Question {
  readonly method?: string;
  readonly accept?: string;
  readonly token?: string;
  readonly body?: object;
}

/** Sends one request, and returns the bytes of the answer as they were sent. */
async function bytesOf(url: string, path: string, { method, accept = 'gzip', token = KEY, body }: Question = {}) {
  const headers = { Authorization: `Bearer ${token}`, ...(accept && { 'Accept-Encoding': accept }) };
  const sent = request(new URL(path, url), { method: method ?? (body ? 'POST' : 'GET'), headers, agent: false });
  sent.end(body && JSON.stringify(body));
  const response = await new Promise<Parameters<typeof buffer>[0] & { headers: Record<string, string> }>(
    (resolve, reject) => sent.once('error', reject).once('response', (heard) => resolve(heard as never)),
  );
  const { headers: heard } = response;
  return { bytes: await buffer(response), encoding: heard['content-encoding'], vary: heard.vary, headers: heard };
}

async function seated(options: Parameters<typeof runApp>[0] = {}) {
  const { url } = await runApp(options);
  const id = await createSession(url);
  await ask(url, `${OWNER}/sessions/${id}/start`, { headers: AS_OWNER, body: {} });
  const token = await seatAgent(url, id, 'agent_a');
  return { url, id, token };
}

const toolsList = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const toolCall = (name: string, input: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: input },
});
/** A read with an answer of more than 16,000 bytes. */
const schemaCall = toolCall('get_contract_schema', {});

describe('a large answer to a read is compressed', () => {
  test.each([
    ['REST', (id: string) => `${REST}/sessions/${id}/contract-schema`, undefined],
    ['MCP: tools/list', () => '/api/public/mcp', toolsList],
    ['MCP: a tool that reads', () => '/api/public/mcp', schemaCall],
    ['MCP: a batch of reads', () => '/api/public/mcp', [toolsList, schemaCall]],
  ])('over %s', async (_name, pathOf, body) => {
    const { url, id, token } = await seated();
    const question = { token, ...(body && { body }) };
    const plain = await bytesOf(url, pathOf(id), { ...question, accept: '' });
    const packed = await bytesOf(url, pathOf(id), question);
    expect([plain.encoding, packed.encoding, packed.vary]).toEqual([undefined, 'gzip', 'Accept-Encoding']);
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
    expect(packed.headers).toMatchObject({
      'content-length': String(packed.bytes.length),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(plain.bytes.length).toBeGreaterThan(10_000);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  test('of the owner, with the same headers under HEAD', async () => {
    const { url } = await seated();
    for (let count = 0; count < 20; count += 1) await createSession(url);
    const plain = await bytesOf(url, `${OWNER}/overview`, { accept: '' });
    const packed = await bytesOf(url, `${OWNER}/overview`);
    expect([plain.encoding, plain.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect([packed.encoding, packed.vary]).toEqual(['gzip', 'Accept-Encoding']);
    expect(JSON.parse(gunzipSync(packed.bytes).toString())).toHaveProperty('sessions.length', 21);
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
    const head = await bytesOf(url, `${OWNER}/overview`, { method: 'HEAD' });
    expect([head.bytes.length, head.encoding]).toEqual([0, 'gzip']);
  });

  test('of the reference, once and under one weak ETag', async () => {
    const { url } = await seated();
    const plain = await bytesOf(url, '/openapi.json', { accept: '' });
    const packed = await bytesOf(url, '/openapi.json');
    expect([plain.encoding, packed.encoding]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
    expect(packed.headers.etag).toBe(plain.headers.etag);
    expect(packed.headers.etag).toMatch(/^W\/"/);
  });

  test('where the client accepts it', async () => {
    const { url, id, token } = await seated();
    for (const [accept, encoding] of [
      ['gzip;q=0', undefined],
      ['br', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['br, gzip;q=0.2', 'gzip'],
      ['*', 'gzip'],
      ['GZIP', 'gzip'],
      ['nonsense;;q=', undefined],
    ] as const) {
      const heard = await bytesOf(url, `${REST}/sessions/${id}/contract-schema`, { token, accept });
      expect([accept, heard.encoding, heard.vary]).toEqual([accept, encoding, 'Accept-Encoding']);
    }
  });
});

describe('what is sent as it is', () => {
  const sentPlain = async (answer: ReturnType<typeof bytesOf>) => {
    const { encoding, vary, bytes, headers } = await answer;
    expect([encoding, vary]).toEqual([undefined, undefined]);
    expect(headers['content-length']).toBe(String(bytes.length));
    return JSON.parse(bytes.toString());
  };

  test('an answer below 4,000 bytes', async () => {
    const { url, id, token } = await seated();
    await sentPlain(bytesOf(url, `${REST}/health`));
    await sentPlain(bytesOf(url, `${REST}/sessions/${id}/decisions`, { token }));
  });

  test('any answer that contains a code, a token or a key', async () => {
    const { url, id } = await seated();
    const invited = await sentPlain(bytesOf(url, `${OWNER}/sessions/${id}/invite`, { body: { role: 'agent_b' } }));
    expect(invited.code).toMatch(/^pinv_/);
    const redeemed = await sentPlain(bytesOf(url, `${REST}/invitations/redeem`, { body: { code: invited.code } }));
    expect(redeemed.token).toMatch(/^prt_/);
    const signedIn = await sentPlain(bytesOf(url, `${OWNER}/sign-in`, { body: { owner_key: KEY } }));
    expect(signedIn).toHaveProperty('page_key');
  });

  test('an error, and the answer to a write, however large', async () => {
    const { url, token } = await seated();
    const nodes = Array.from({ length: 200 }, (_, index) => ({ wrong: index }));
    const refused = await sentPlain(
      bytesOf(url, '/api/public/mcp', { token, body: toolCall('post_turn', { questions: nodes }) }),
    );
    expect(refused.result.isError).toBe(true);
    const mixed = await bytesOf(url, '/api/public/mcp', {
      token,
      body: [schemaCall, toolCall('ack_intervention', {})],
    });
    expect([mixed.encoding, mixed.bytes.length > 10_000]).toEqual([undefined, true]);
  });

  test('everything, with compression off', async () => {
    const { url, id, token } = await seated({ compression: false });
    await sentPlain(bytesOf(url, `${REST}/sessions/${id}/contract-schema`, { token }));
    await sentPlain(bytesOf(url, '/api/public/mcp', { token, body: toolsList }));
    for (let count = 0; count < 20; count += 1) await createSession(url);
    await sentPlain(bytesOf(url, `${OWNER}/overview`));
    await sentPlain(bytesOf(url, '/openapi.json'));
  });
});

describe('a stream of events', () => {
  test.each([
    [true, 'gzip'],
    [false, null],
  ])('brings each event without another one behind it, with compression %s', async (compression, encoding) => {
    const { url, id } = await seated({ compression });
    const leaving = new AbortController();
    const headers = { ...AS_OWNER, 'Accept-Encoding': 'gzip' };
    const stream = await fetch(`${url}${OWNER}/sessions/${id}/events?after=2`, { headers, signal: leaving.signal });
    expect(stream.headers.get('content-encoding')).toBe(encoding);
    await ask(url, `${OWNER}/sessions/${id}/pause`, { headers: AS_OWNER, body: { reason: 'Lunch.' } });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('session.paused')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain('Lunch.');
    leaving.abort();
  });
});
