import { describe, expect, test } from 'vitest';
import { narrow } from './cast.ts';
import { at } from './exchange.ts';
import { stockSession } from './good-requests.ts';
import { type Joined, type Service, startService } from './service.ts';
import { type Bearing, OPERATIONS, requestFor, type Target } from './targets.ts';

type Prepare = (service: Service, joined: Joined) => unknown;

interface Failure {
  readonly code: string;
  readonly status: number;
  readonly tool: string;
  /** Goes into the input that would be served. */
  readonly extra?: object;
  readonly as?: 'agent_a' | 'agent_b';
  readonly prepare?: Prepare;
  readonly details?: object;
}

const end: Prepare = ({ owner }, { sessionId }) => owner.end(sessionId, { end_reason: 'COMPLETED' });
const pause: Prepare = ({ owner }, { sessionId }) => owner.pause(sessionId, { reason: 'Lunch.' });
const agentA = ({ parley }: Service, { tokens }: Joined) => parley.agent(tokens.agent_a);

/** Operations that fail, one way each. */
const FAILURES: readonly Failure[] = [
  {
    code: 'NOT_YOUR_TURN',
    status: 409,
    tool: 'post_turn',
    as: 'agent_b',
    details: { next_agent: 'agent_a', turn_index: 2 },
  },
  { code: 'INVALID_INPUT', status: 422, tool: 'post_turn', extra: { summary: '' } },
  { code: 'INVALID_INPUT', status: 422, tool: 'post_turn', extra: { sumary: 'x' } },
  { code: 'INVALID_INPUT', status: 422, tool: 'read_messages', extra: { after: -1 } },
  { code: 'INVALID_INPUT', status: 422, tool: 'read_session_state', extra: { wait: 'soon' } },
  { code: 'WRONG_SESSION', status: 403, tool: 'read_task', extra: { session_id: 'AAAAAAAAAAAAAAAAAAAAAA' } },
  { code: 'SESSION_NOT_ACTIVE', status: 409, tool: 'post_turn', prepare: pause },
  { code: 'SESSION_ENDED', status: 409, tool: 'answer_question', prepare: end },
  {
    code: 'UNKNOWN_RECORD',
    status: 404,
    tool: 'accept_decision',
    extra: { decision_id: 'd_9' },
    details: { record: { type: 'decision', id: 'd_9' } },
  },
  { code: 'UNKNOWN_RECORD', status: 404, tool: 'answer_question', as: 'agent_b' },
  { code: 'UNKNOWN_RECORD', status: 404, tool: 'ack_intervention', as: 'agent_b' },
  { code: 'UNKNOWN_RECORD', status: 404, tool: 'ack_action', as: 'agent_b' },
  { code: 'NOT_PROPOSER', status: 403, tool: 'withdraw_decision', as: 'agent_b' },
  { code: 'OWN_PROPOSAL', status: 403, tool: 'reject_decision', as: 'agent_b' },
  {
    ...{ code: 'DECISION_CLOSED', status: 409, tool: 'withdraw_decision' },
    prepare: (service, joined) =>
      agentA(service, joined).call('withdraw_decision', { decision_id: 'd_1', reason: 'Mine.' }),
  },
  {
    ...{ code: 'ALREADY_ANSWERED', status: 409, tool: 'answer_question' },
    prepare: (service, joined) =>
      agentA(service, joined).call('answer_question', { question_id: 'q_1', answer: 'No.' }),
  },
  {
    ...{ code: 'IDEMPOTENCY_CONFLICT', status: 409, tool: 'post_turn' },
    prepare: (service, joined) =>
      agentA(service, joined).call('post_turn', { summary: 'Other.', request_id: 'turn-2' }),
  },
  {
    ...{ code: 'INTERVENTION_CLOSED', status: 409, tool: 'answer_intervention' },
    prepare: ({ owner }, { sessionId }) => owner.withdrawIntervention(sessionId, { intervention_id: 'i_1' }),
  },
  {
    ...{ code: 'ACTION_CLOSED', status: 409, tool: 'ack_action' },
    prepare: (service, joined) => agentA(service, joined).call('complete_action', { action_id: 'act_1' }),
  },
];

function targetOf(tool: string): Target {
  const target = OPERATIONS.find((operation) => operation.tool === tool && operation.kind === 'builder');
  if (!target) throw new Error(`There is no ${tool}.`);
  return target;
}

/** The same call over REST and over MCP. */
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
      const joined = await stockSession(service);
      await prepare?.(service, joined);
      const { rest, mcp } = await callBoth(service, targetOf(tool), borne(joined, as, extra));
      expect([rest.status, rest.json]).toEqual([
        status,
        expect.objectContaining({ ok: false, error: code, message: expect.any(String), ...details }),
      ]);
      expect([mcp.status, at(mcp.json, 'result', 'isError')]).toEqual([200, true]);
      expect(at(mcp.json, 'result', 'content')).toEqual([{ type: 'text', text: rest.text }]);
      expect(at(mcp.json, 'result', 'structuredContent')).toEqual(rest.json);
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
  OPERATIONS.filter(({ tool, route, input }) => tool && route?.startsWith('GET') && input).map(
    (target) => [target.name, target] as const,
  ),
)('what %s reads is the same text over REST and MCP', async (_name, target) => {
  const service = await startService();
  const joined = await stockSession(service);
  const role = target.kind === 'moderator' ? 'moderator' : 'agent_b';
  const { rest, mcp } = await callBoth(service, target, borne(joined, role));
  expect([rest.status, at(mcp.json, 'result', 'content', 0, 'text')]).toEqual([200, rest.text]);
  expect(at(mcp.json, 'result', 'structuredContent')).toEqual(rest.json);
});
