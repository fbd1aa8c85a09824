import { describe, expect, test } from 'vitest';
import { at } from '../../support/exchange.ts';
import type { Joined } from '../../support/join-session.ts';
import { type Service, startService } from '../../support/service.ts';
import { narrow } from './support/cast.ts';
import { FAILURES } from './support/failures.ts';
import { withoutRoutes } from './support/hint-routes.ts';
import { stockSession } from './support/sample-sessions.ts';
import type { Kind } from './support/specification.ts';
import { type Bearing, OPERATIONS, requestFor, type Target } from './support/targets.ts';

function targetOf(tool: string, kind: Kind = 'builder'): Target {
  const target = OPERATIONS.find((operation) => operation.tool === tool && operation.kind === kind);
  if (!target) throw new Error(`There is no ${tool}.`);
  return target;
}

async function callBoth({ send }: Service, target: Target, bearing: Bearing) {
  const rest = await send(requestFor('REST', target, bearing));
  const mcp = await send(requestFor('MCP header', target, bearing));
  return { rest, mcp };
}

const borne = ({ sessionId, tokens }: Joined, role: keyof Joined['tokens'], extra: object = {}): Bearing => ({
  ...{ sessionId, authorization: [`Bearer ${tokens[role]}`], extra },
});

describe('a failed operation', () => {
  test.each(FAILURES.map((failure) => [failure.code, failure.tool, failure] as const))(
    'with %s of %s says the same over REST and MCP',
    async (_code, _tool, failure) => {
      const { code, status, tool, extra = {}, as = 'agent_a', prepare, details = {} } = failure;
      const service = await startService();
      const kind = as === 'moderator' ? 'moderator' : 'builder';
      const joined = await stockSession(service, tool, kind);
      await prepare?.(service, joined);
      const { rest, mcp } = await callBoth(service, targetOf(tool, kind), borne(joined, as, extra));
      expect([rest.status, rest.json]).toEqual([
        status,
        expect.objectContaining({ ok: false, error: code, message: expect.any(String), ...details }),
      ]);
      expect([mcp.status, at(mcp.json, 'result', 'isError')]).toEqual([200, true]);
      const said = withoutRoutes(rest.text);
      expect(at(mcp.json, 'result', 'content')).toEqual([{ type: 'text', text: said }]);
      expect(at(mcp.json, 'result', 'structuredContent')).toEqual(JSON.parse(said));
    },
  );

  test('for want of a scope says the same over REST and MCP', async () => {
    const service = await startService();
    const joined = await narrow(service, (scope) => scope !== 'post_turn');
    const { rest, mcp } = await callBoth(service, targetOf('post_turn'), borne(joined, 'agent_a'));
    expect(rest.json).toMatchObject({ ok: false, error: 'INSUFFICIENT_SCOPE', required_scope: 'post_turn' });
    expect(at(mcp.json, 'result', 'content', 0, 'text')).toBe(rest.text);
  });
});

test.each(
  OPERATIONS.filter(({ tool, route }) => route?.startsWith('GET') || tool === 'validate_contract_draft').map(
    (target) => [target.name, target] as const,
  ),
)('what %s reads is the same text over REST and MCP', async (_name, target) => {
  const service = await startService();
  const joined = await stockSession(service, target.tool, target.kind);
  const role = target.kind === 'moderator' ? 'moderator' : 'agent_a';
  const { rest, mcp } = await callBoth(service, target, borne(joined, role));
  expect([rest.status, at(mcp.json, 'result', 'content', 0, 'text')]).toEqual([200, rest.text]);
  expect(at(mcp.json, 'result', 'structuredContent')).toEqual(rest.json);
});
