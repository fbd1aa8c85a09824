import { createMemoryStorage, createParley } from '@parley/core';
import { connectOverMcp } from '@parley/example-mcp-agents';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openRelay } from '../../packages/owner-app/test/relay.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a wait through a relay that goes silent ends after 45 seconds and says so, and the next call is answered', async () => {
  const parley = await createParley({ storage: createMemoryStorage() });
  const [rest, mcp] = [createHttpHost(parley), createMcpHost(parley)];
  const server = await serve((asked, answer) => mcp.handler(asked, answer, () => rest.handler(asked, answer)), {
    host: '127.0.0.1',
    port: 0,
    parley,
  });
  onTestFinished(() => server.close());
  const owner = parley.owner('owner');
  const { session_id } = await owner.createSession({
    title: 'Refunds',
    objective: 'A buyer gets the money back within a day.',
    requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
  });
  const { code } = await owner.invite(session_id, { role: 'agent_b' });
  await owner.start(session_id);
  const { token } = await parley.redeem({ code });
  const relay = await openRelay(server.url);
  const agent = await connectOverMcp(`${relay.url}${mcp.prefix}`, token);
  onTestFinished(() => agent.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let ended: unknown;
  const waiting = agent.call('wait_for_my_turn', { wait: 25 }).catch((error: unknown) => {
    ended = error;
  });
  await vi.waitFor(() => expect(relay.carries(/wait_for_my_turn/)).toBe(true));
  relay.freeze(/wait_for_my_turn/);
  await vi.advanceTimersByTimeAsync(44_000);
  expect(ended).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  await waiting;
  expect(String(ended)).toContain('Request timed out');
  vi.useRealTimers();
  expect(await agent.call('read_session_state', {})).toMatchObject({ status: 'ACTIVE', your_role: 'agent_b' });
});
