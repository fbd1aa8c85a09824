import { expect } from 'vitest';
import { at, type Heard, type Sent } from '../../../support/exchange.ts';
import { bearer, callTool, MCP, REST, restPath, rpc } from '../../../support/requests.ts';
import type { Service } from '../../../support/service.ts';
import { verdictOf } from './targets.ts';

/** Sends requests one after another. Returns how often each status occurred. */
export async function tally(
  service: Service,
  count: number,
  sent: (n: number) => Sent,
): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  for (let n = 0; n < count; n += 1) {
    const { status } = await service.send(sent(n));
    seen[status] = (seen[status] ?? 0) + 1;
  }
  return seen;
}

export const redeem = (body: string, headers = {}): Sent => ({
  method: 'POST',
  path: `${REST}/invitations/redeem`,
  body,
  headers,
});
export const UNKNOWN_CODE = '{"code":"pinv_x"}';
export const NO_SESSION = 'AAAAAAAAAAAAAAAAAAAAAA';

/** Requests without a well-formed token. They all count towards the limit of 60 requests for an address. */
export const TOKENLESS: readonly Sent[] = [
  { method: 'GET', path: restPath(NO_SESSION, 'state') },
  { method: 'POST', path: restPath(NO_SESSION, 'turns'), body: '{}', headers: { Authorization: 'Basic x' } },
  { method: 'GET', path: `${REST}/nowhere`, headers: bearer('prt_x'.padEnd(201, 'x')) },
  { method: 'POST', path: `${REST}/health`, body: '{}' },
  { method: 'GET', path: `${REST}/invitations/redeem` },
  { method: 'POST', path: MCP, body: rpc('ping') },
  { method: 'POST', path: `${MCP}/prt_short`, body: rpc('ping') },
  { method: 'POST', path: `${MCP}/sse`, body: '{' },
  { method: 'POST', path: MCP, body: rpc('ping'), headers: { Authorization: ['Bearer prt_x', 'Bearer prt_x'] } },
  { method: 'DELETE', path: restPath(NO_SESSION, 'turns') },
];
export const tokenless = (n: number): Sent => TOKENLESS[n % TOKENLESS.length] ?? redeem('');

/** Requests with this token, alternating between REST, MCP, and MCP with the token in the path. */
export const withToken =
  (token: string, sessionId: string) =>
  (n: number): Sent =>
    (
      [
        { method: 'GET', path: restPath(sessionId, 'messages'), headers: bearer(token) },
        { method: 'POST', path: MCP, body: rpc('ping'), headers: bearer(token) },
        { method: 'POST', path: `${MCP}/${token}`, body: callTool('read_messages') },
      ] as const
    )[n % 3] ?? redeem('');

/**
 * Checks a refusal for too many requests, and its Retry-After in seconds. `id` is the id of the JSON-RPC request,
 * undefined over REST.
 */
export function expectRefusal(heard: Heard, seconds: number, id?: number | null): void {
  const isMcp = id !== undefined;
  const body = isMcp ? at(heard.json, 'error', 'data') : heard.json;
  expect(verdictOf(heard)).toBe(isMcp ? '429 -32029 RATE_LIMITED' : '429 RATE_LIMITED');
  expect([at(body, 'ok'), typeof at(body, 'message'), at(body, 'retry_after_seconds')]).toEqual([
    false,
    'string',
    seconds,
  ]);
  expect(heard.headers['retry-after']).toBe(String(seconds));
  expect(heard.headers['access-control-allow-origin']).toBe('*');
  if (isMcp) expect([at(heard.json, 'jsonrpc'), at(heard.json, 'id')]).toEqual(['2.0', id]);
}
