import { type AnsweredRequest, createHttpHost, serve } from '@parley/http-host';
import Koa from 'koa';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { seat } from '../../http-host/test/seated.ts';
import { createMcpHost } from '../src/index.ts';
import { MCP } from './started.ts';

const REST = '/api/public/agent';

it('reveals no token or code, however a request fails', async () => {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0);
  }
  onTestFinished(() => void vi.restoreAllMocks());
  const failures: string[] = [];
  const { parley, code, sessionId, tokenA } = await seat({
    limits: { perToken: 12 },
    onFailure: (cause) => failures.push(String(cause)),
  });
  const invitation = await code('agent_b');
  const entries: AnsweredRequest[] = [];
  const log = (entry: AnsweredRequest) => void entries.push(entry);
  const broken = {
    ...parley,
    parseJson: () => {
      throw new Error('broken');
    },
  };
  const app = new Koa().use(createHttpHost(parley, { log }).middleware).use(createMcpHost(parley, { log }).middleware);
  app.use(createMcpHost(broken, { prefix: '/broken', log }).middleware);
  const serving = await serve(app, { host: '127.0.0.1', port: 0, parley });
  onTestFinished(() => serving.close());

  const heard: string[] = [];
  const send = async (path: string, question: Parameters<typeof ask>[2] = {}) => {
    const { text, headers } = await ask(serving.url, path, question);
    heard.push(text, JSON.stringify(headers));
  };
  const headers = { Authorization: `Bearer ${tokenA}` };
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  await send(`${REST}/sessions/${sessionId}/${tokenA}`, { headers });
  await send(`${REST}/${tokenA}`, { headers: { Authorization: `Basic ${tokenA}` } });
  await send(`${REST}/invitations/${invitation}?code=${invitation}`);
  await send(`${REST}/sessions/${sessionId}/state?token=${tokenA}`, { headers });
  for (const path of [
    `${MCP}/${tokenA}`,
    `${MCP}/x${tokenA}`,
    `${MCP}/${tokenA}/${tokenA}`,
    `/broken/${tokenA}`,
    `${MCP}?t=${tokenA}`,
  ]) {
    for (const body of [ping, '{', `{"jsonrpc":"2.0","id":1,"method":"x"}`, 'a'.repeat(300_000)]) {
      await send(path, { body, headers });
    }
    await send(path, { method: 'GET', headers });
  }
  await expect.poll(() => entries.length).toBe(29);
  expect(new Set(entries.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404, 405, 413, 422, 429, 500]));
  const everything = [...heard, ...printed, ...failures, JSON.stringify(entries)].join('\n');
  for (const secret of [tokenA, invitation]) expect(everything).not.toContain(secret.slice(4, 24));
});
