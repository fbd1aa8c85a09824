import { expect } from 'vitest';
import { type ExchangeOptions, exchangeRaw, type Piece, type RawAnswer } from './raw.ts';
import type { Service } from './service.ts';

/**
 * Shortens an answer to a form such as `422 INVALID_INPUT`, `400 -32700`, `200 NOT_YOUR_TURN` (a tool result) or `200
 * ok`.
 */
export function verdictOf(answer: RawAnswer | 'closed'): string {
  if (answer === 'closed') return answer;
  const code = codeIn(answer.json) ?? (answer.text === '' ? 'empty' : 'ok');
  return `${answer.status} ${code}`;
}

function codeIn(body: unknown): string | number | undefined {
  const { error, result } = Object(body);
  if (typeof error === 'string') return error;
  if (typeof error?.code === 'number') return error.code;
  return result?.structuredContent?.error;
}

/** Sends the pieces. Expects the given answer, that nothing is stored, and that the service has no internal error. */
export async function expectVerdict(
  service: Service,
  pieces: readonly Piece[],
  expected: string,
  options?: ExchangeOptions,
): Promise<RawAnswer | 'closed'> {
  const heads = await service.heads();
  const answer = await exchangeRaw(service.port, pieces, options);
  expect(verdictOf(answer), String(pieces[0]).slice(0, 300)).toBe(expected);
  expect(service.failures).toEqual([]);
  expect(await service.heads()).toEqual(heads);
  if (answer !== 'closed' && answer.text !== '') expectErrorShape(answer);
  return answer;
}

function expectErrorShape({ status, json, headers }: RawAnswer): void {
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
  });
  if (status >= 400)
    expect(refusalIn(json)).toMatchObject({ ok: false, message: expect.any(String), hint: expect.any(String) });
}

/** Returns the error body, which is the `data` of a JSON-RPC error. Without `data`, returns the message. */
function refusalIn(json: unknown): unknown {
  const { error, jsonrpc } = Object(json);
  if (jsonrpc === undefined) return json;
  return error.data ?? { ok: false, message: error.message, hint: '' };
}
