import { describe, expect, test } from 'vitest';
import { at, type Heard } from './exchange.ts';
import { ask, callTool, type Joined, joinSession, post, restPath, type Service, startService } from './service.ts';

type Wait = (service: Service, joined: Joined, wait: unknown) => Promise<Heard>;

const overTool =
  (tool: string): Wait =>
  (service, { tokens }, wait) =>
    post(service, tokens.agent_a, callTool(tool, { wait }));

const WAITS: Readonly<Record<string, Wait>> = {
  'GET state': (service, { sessionId, tokens }, wait) =>
    ask(service, restPath(sessionId, `state?wait=${encodeURIComponent(String(wait))}`), tokens.agent_a),
  read_session_state: overTool('read_session_state'),
  wait_for_my_turn: overTool('wait_for_my_turn'),
};

const bodyOf = ({ json }: Heard): unknown => at(json, 'result', 'structuredContent') ?? json;

/** A session in DRAFT, where nobody has anything to do. */
async function idle() {
  const service = await startService();
  return { service, joined: await joinSession(service, { isStarted: false }) };
}

const isHeld = ({ parley }: Service) => expect.poll(() => parley.heldPolls()).toBe(1);

const cells = (values: readonly unknown[]) =>
  Object.entries(WAITS).flatMap(([name, wait]) => values.map((value) => [name, value, wait] as const));

describe('a wait', () => {
  test.each(cells([25, 26, 1000, 999_999, '26']))('by %s of %j s ends after 25 s', async (_name, value, wait) => {
    const { service, joined } = await idle();
    const poll = wait(service, joined, value);
    await isHeld(service);
    service.clock.advance(24_999);
    await service.parley.agent(joined.tokens.agent_b).call('read_task');
    expect(service.parley.heldPolls()).toBe(1);
    service.clock.advance(1);
    const heard = await poll;
    expect([heard.status, at(bodyOf(heard), 'timed_out')]).toEqual([200, true]);
  });

  test.each(cells([1, 7, 24.5]))('by %s of %j s is as long as it says', async (_name, value, wait) => {
    const { service, joined } = await idle();
    const poll = wait(service, joined, value);
    await isHeld(service);
    service.clock.advance(Number(value) * 1000 - 1);
    await service.parley.agent(joined.tokens.agent_b).call('read_task');
    expect(service.parley.heldPolls()).toBe(1);
    service.clock.advance(1);
    expect(at(bodyOf(await poll), 'timed_out')).toBe(true);
  });

  test.each(cells([0]))('by %s of %j s is none', async (_name, value, wait) => {
    const { service, joined } = await idle();
    const heard = await wait(service, joined, value);
    expect([heard.status, at(bodyOf(heard), 'your_turn')]).toEqual([200, false]);
  });

  test.each(cells([-1, -0.001, 'soon', '', '5s', '1e3', 'Infinity', 'NaN', '0x10', '٣', 'true']))(
    'by %s of %j s is refused',
    async (name, value, wait) => {
      const { service, joined } = await idle();
      const heard = await wait(service, joined, value);
      expect(heard.status).toBe(name === 'GET state' ? 422 : 200);
      expect([at(bodyOf(heard), 'error'), at(bodyOf(heard), 'issues', 0, 'path')]).toEqual(['INVALID_INPUT', 'wait']);
      expect(service.parley.heldPolls()).toBe(0);
    },
  );
});

describe('wait_for_my_turn', () => {
  test('without a number waits for 20 s', async () => {
    const { service, joined } = await idle();
    const poll = post(service, joined.tokens.agent_a, callTool('wait_for_my_turn'));
    await isHeld(service);
    service.clock.advance(19_999);
    await service.parley.agent(joined.tokens.agent_b).call('read_task');
    expect(service.parley.heldPolls()).toBe(1);
    service.clock.advance(1);
    expect(at(bodyOf(await poll), 'timed_out')).toBe(true);
  });

  test('answers at once when there is work, and with the first message of somebody else', async () => {
    const service = await startService();
    const joined = await joinSession(service);
    const atOnce = await post(service, joined.tokens.agent_a, callTool('wait_for_my_turn', { wait: 25 }));
    expect(at(bodyOf(atOnce), 'your_turn')).toBe(true);
    const poll = post(service, joined.tokens.agent_b, callTool('wait_for_my_turn', { wait: 25 }));
    await isHeld(service);
    await service.parley.agent(joined.tokens.agent_a).call('submit_decision', { topic: 'Size', position: '100.' });
    expect(at(bodyOf(await poll), 'timed_out')).toBe(false);
  });
});
