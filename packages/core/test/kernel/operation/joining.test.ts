import { describe, expect, test } from 'vitest';
import { createMemoryStorage, createParley } from '../../../src/index.ts';
import { joiningHint } from '../../../src/kernel/operation/operation.ts';

const EVERYWHERE =
  'If you have an invitation code (pinv_...) and no token, exchange the code: POST <REST address, which ends in /api/public/agent>/invitations/redeem with the body {"code":"pinv_..."}. Then send the header "Authorization: Bearer prt_..." with each call: over MCP by POST to the address that ends in /api/public/mcp, or over REST below <REST address, which ends in /api/public/agent>/sessions/{session_id}/. The first call is read_task (GET task). If you have neither code nor token, ask the owner for an invitation.';

describe('the hint for a client without a token', () => {
  test('names the ends of the paths if no address is known', () => {
    expect(joiningHint({})).toBe(EVERYWHERE);
  });

  test('names the known addresses', () => {
    expect(joiningHint({ rest: '/api/public/agent', mcp: '/api/public/mcp', openApi: '/openapi.json' })).toBe(
      'If you have an invitation code (pinv_...) and no token, exchange the code: POST /api/public/agent/invitations/redeem with the body {"code":"pinv_..."}. Then send the header "Authorization: Bearer prt_..." with each call: over MCP by POST to /api/public/mcp, or over REST below /api/public/agent/sessions/{session_id}/. The first call is read_task (GET task). GET /openapi.json describes the routes. If you have neither code nor token, ask the owner for an invitation.',
    );
  });

  test('prefers public addresses to paths', async () => {
    const parley = await createParley({
      storage: createMemoryStorage(),
      paths: { rest: '/api/public/agent', mcp: '/api/public/mcp' },
      publicUrls: { mcpUrl: 'https://p.example/api/public/mcp' },
    });
    expect(parley.service.joining).toContain(
      'over MCP by POST to https://p.example/api/public/mcp, or over REST below /api/',
    );
    await parley.close();
  });

  test.each([
    ['no credentials', [], 'The request has no token. Send exactly one header "Authorization: Bearer prt_...".'],
    [
      'an invitation code',
      ['Bearer pinv_x'],
      'An invitation code (pinv_...) was sent in place of a token (prt_...). Exchange the code for a token first.',
    ],
    [
      'another scheme',
      ['Basic x'],
      'The Authorization header has no valid token. Send exactly one header "Authorization: Bearer prt_...".',
    ],
  ])('is in the refusal of %s, over REST and over MCP', async (_sent, authorization, message) => {
    const parley = await createParley({ storage: createMemoryStorage() });
    const sender = { authorization, address: '127.0.0.1' };
    const { status, body } = await parley.callRoute({
      ...sender,
      method: 'GET',
      path: '/guessed',
      query: new URLSearchParams(),
      idempotencyKeys: [],
      readBody: async () => '',
    });
    expect([status, JSON.parse(body)]).toEqual([401, { ok: false, error: 'UNAUTHORIZED', message, hint: EVERYWHERE }]);
    await expect(parley.admit(sender)).rejects.toMatchObject({ message, details: { hint: EVERYWHERE } });
    await parley.close();
  });
});
