import { describe, expect, test } from 'vitest';
import type { Heard, Sent } from '../../support/exchange.ts';
import { MCP, restPath } from '../../support/requests.ts';
import { AGENTS_DESCRIPTION } from './support/described.ts';

const { undescribed } = AGENTS_DESCRIPTION;
const SESSION_ID = 'A1b2C3d4E5f6G7h8I9j0K1';

const heard = (status: number, json: unknown): Heard => ({ status, json, headers: {}, text: JSON.stringify(json) });
const refusal = (error: string) => ({ ok: false, error, message: 'No.', hint: 'Do another.', next_agent: null });
const acknowledge: Sent = { method: 'POST', path: restPath(SESSION_ID, 'events/ack') };
const rpcError = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'No JSON.', data: refusal('INVALID_JSON') },
};

/**
 * Tests `undescribed`, which returns what in an answer the OpenAPI document does not describe. `Service.send` of the
 * tests checks each answer with it.
 */
describe('an answer that the OpenAPI document describes', () => {
  test.each<[string, Sent, Heard]>([
    ['a result', acknowledge, heard(200, { acked_cursor: 1, head: 2 })],
    ['a refusal with a usual code', acknowledge, heard(409, refusal('SESSION_ENDED'))],
    ['a fault of the service', acknowledge, heard(503, refusal('SHUTTING_DOWN'))],
    ['a JSON-RPC error', { method: 'POST', path: MCP }, heard(400, rpcError)],
    ['what the document does not speak of', { method: 'GET', path: '/elsewhere' }, heard(404, {})],
  ])('is taken: %s', (_what, sent, answer) => {
    expect(undescribed(sent, answer)).toBeUndefined();
  });

  test.each<[string, Sent, Heard, string]>([
    [
      'another status',
      acknowledge,
      heard(302, {}),
      'POST /api/public/agent/sessions/{session_id}/events/ack does not describe 302.',
    ],
    [
      'a code that is not named there',
      acknowledge,
      heard(409, refusal('NOT_YOUR_TURN')),
      'POST /api/public/agent/sessions/{session_id}/events/ack does not name NOT_YOUR_TURN at 409.',
    ],
    [
      'a member that is not described',
      acknowledge,
      heard(200, { acked_cursor: 1, head: 2, tail: 0 }),
      'POST /api/public/agent/sessions/{session_id}/events/ack 200: data must NOT have additional properties',
    ],
    [
      'a REST error at the MCP endpoint',
      { method: 'POST', path: `${MCP}/prt_${'x'.repeat(16)}` },
      heard(401, { ok: false }),
      "POST /api/public/mcp/{token} 401: data must have required property 'jsonrpc'",
    ],
  ])('is told from %s', (_what, sent, answer, fault) => {
    expect(undescribed(sent, answer)).toContain(fault);
  });
});
