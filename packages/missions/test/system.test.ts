import { expect, test } from 'vitest';
import { loadMission } from '../src/index.ts';
import { actOnNext, createSystem } from '../src/system.ts';
import type { CallByName, CallTool, Json } from '../src/transport.ts';

const open = async (name: Parameters<typeof loadMission>[0]) => createSystem(await loadMission(name));

const assertionsOf = ({ assertions }: Json): unknown =>
  Array.isArray(assertions) && assertions.every(({ passed }) => passed);

test('a fault is visible to the side that can observe it, until the fixing build is deployed', async () => {
  const system = await open('payment-capture');
  system.deploy('agent_a', undefined);
  expect(system.deploy('agent_b', undefined)).toMatchObject({ version: '5.8.0', fixture_version: 'capture-2026-11' });
  expect(assertionsOf(system.look('agent_a', 'v-retries-book-once', 1))).toBe(true);
  expect(assertionsOf(system.look('agent_b', 'v-retries-book-once', 1))).toBe(false);
  expect(system.judge('v-retries-book-once')).toMatchObject({ verdict: 'FAIL' });

  expect(system.deploy('agent_b', 'v-retries-book-once')).toMatchObject({ version: '5.8.1' });
  expect(system.note('v-retries-book-once')).toContain('The event is written in the branch that inserts');
  expect(assertionsOf(system.look('agent_b', 'v-retries-book-once', 2))).toBe(true);
  expect(system.judge('v-retries-book-once')).toMatchObject({ verdict: 'PASS' });
  expect(system.judge('v-reused-key-refused')).toMatchObject({ verdict: 'FAIL' });
});

test('both sides see one correlation id in an attempt, and another one in the next', async () => {
  const system = await open('offline-sync');
  const seen = [1, 2].map((attempt) => [
    system.look('agent_a', 'v-two-devices-converge', attempt).request_id,
    system.look('agent_a', 'v-two-devices-converge', attempt).request_id,
    system.look('agent_b', 'v-two-devices-converge', attempt).request_id,
  ]);
  expect(seen.map((ids) => new Set(ids).size)).toEqual([1, 1]);
  expect(seen[0]?.[0]).not.toBe(seen[1]?.[0]);
});

test('a run with other test data does not affect a build', async () => {
  const system = await open('signed-webhooks');
  expect(system.judge('v-vectors')).toMatchObject({ verdict: 'PASS' });
  expect(assertionsOf(system.look('agent_b', 'v-vectors', 1))).toBe(true);
});

test('nothing is invented that the mission does not contain', async () => {
  const system = await open('payment-capture');
  system.look('agent_a', 'v-crash-keeps-key', 1);
  expect(() => system.look('agent_a', 'v-crash-keeps-key', 1)).toThrow('item 2 of v-crash-keeps-key/1/agent_a');
  expect(() => system.judge('v-moon')).toThrow('v-moon');
  expect(() => system.deploy('agent_a', 'v-crash-keeps-key')).toThrow('a build of agent_a');
});

/** An agent whose `verify_next` returns only these items. `sent` contains the agent's other calls. */
function agentTold(...told: Json[]): { face: CallTool; sent: unknown[] } {
  const sent: unknown[] = [];
  const face: CallByName = async (tool, input, how) => {
    const items = told.map((item) => ({ reason: 'Because.', ...item }));
    if (tool === 'verify_next') return { status: 'ACTIVE', phase: 'VERIFY', items };
    sent.push([tool, input, how]);
    return {};
  };
  return { face: face as CallTool, sent };
}

test('actOnNext sends the payload of verify_next by its route, and fills in its placeholders only', async () => {
  const payload = { service: 'renamed', version: '<version that runs>', commit: '<commit>', ready: true };
  const { face, sent } = agentTold({ tool: 'verify_handshake', route: 'POST elsewhere', payload });
  expect(await actOnNext(face, 'agent_b', await open('payment-capture'))).toEqual({ acted: true, phase: 'VERIFY' });
  const input = {
    service: 'renamed',
    version: '5.8.0',
    commit: 'c02d9e6b71f3485a90be27d14c6f8a53e7b019d4',
    ready: true,
  };
  expect(sent).toEqual([['verify_handshake', input, { route: 'POST elsewhere' }]]);
});

test('actOnNext sends as many further items as the reason says', async () => {
  const reason = 'It is ready. One call takes up to 20 due starts, all but the first in others.';
  const told = Array.from({ length: 27 }, (_, index) => ({
    ...{ tool: 'verify_start_attempt', route: 'POST verify/attempts', reason },
    payload: { scenario_id: `test-${index}` },
  }));
  const { face, sent } = agentTold(...told);
  await actOnNext(face, 'agent_a', await open('payment-capture'));
  const others = told.slice(1, 20).map(({ payload }) => payload);
  expect(sent).toEqual([
    ['verify_start_attempt', { scenario_id: 'test-0', others }, { route: 'POST verify/attempts' }],
  ]);
});

test.each([
  ['a tool that no bot knows', { tool: 'verify_moon', route: 'POST moon', payload: {} }, 'verify_moon'],
  [
    'a place that nothing is known for',
    { tool: 'verify_start_attempt', route: 'POST verify/attempts', payload: { scenario_id: '<which>' } },
    'scenario_id: <which>',
  ],
])('actOnNext sends nothing when it is told %s', async (_what, item, message) => {
  const { face, sent } = agentTold(item);
  await expect(actOnNext(face, 'agent_a', await open('payment-capture'))).rejects.toThrow(message);
  expect(sent).toEqual([]);
});
