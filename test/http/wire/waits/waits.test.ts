import { describe, expect, test } from 'vitest';
import { at, type Heard } from '../../../support/exchange.ts';
import { type Joined, joinSession } from '../../../support/join-session.ts';
import { callTool, restPath } from '../../../support/requests.ts';
import { ask, post, type Service, startService } from '../../../support/service.ts';

type Wait = (service: Service, joined: Joined, wait: unknown) => Promise<Heard>;

type Role = 'agent_a' | 'moderator';

const overTool =
  (tool: string, role: Role, member = 'wait'): Wait =>
  (service, { tokens }, wait) =>
    post(service, tokens[role], callTool(tool, { [member]: wait }));

const overRoute =
  (route: string, role: Role): Wait =>
  (service, { sessionId, tokens }, wait) =>
    ask(service, restPath(sessionId, `${route}?wait=${encodeURIComponent(String(wait))}`), tokens[role]);

const WAITS: Readonly<Record<string, Wait>> = {
  'GET state': overRoute('state', 'agent_a'),
  read_session_state: overTool('read_session_state', 'agent_a'),
  wait_for_my_turn: overTool('wait_for_my_turn', 'agent_a'),
  'GET state of the moderator': overRoute('state', 'moderator'),
  'GET events': overRoute('events', 'moderator'),
  get_session_events: overTool('get_session_events', 'moderator'),
  wait_for_activity: overTool('wait_for_activity', 'moderator', 'wait_seconds'),
};

const bodyOf = ({ json }: Heard): unknown => at(json, 'result', 'structuredContent') ?? json;

/** Joins a session in DRAFT, where no role has work. The moderator has acknowledged every event. */
async function idle() {
  const service = await startService();
  const joined = await joinSession(service, { isStarted: false });
  const moderator = service.parley.agent(joined.tokens.moderator);
  const { head } = await moderator.call('get_moderator_status');
  await moderator.call('ack_events', { cursor: head });
  return { service, joined };
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
    expect([heard.status, at(bodyOf(heard), 'error'), service.parley.heldPolls()]).toEqual([200, undefined, 0]);
  });

  test.each(cells([-1, -0.001, 'soon', '5s', '1e3', 'Infinity', 'NaN', '0x10', '٣', 'true']))(
    'by %s of %j s is refused',
    async (name, value, wait) => {
      const { service, joined } = await idle();
      const heard = await wait(service, joined, value);
      expect(heard.status).toBe(name.startsWith('GET') ? 422 : 200);
      const path = name === 'wait_for_activity' ? 'wait_seconds' : 'wait';
      expect([at(bodyOf(heard), 'error'), at(bodyOf(heard), 'issues', 0, 'path')]).toEqual(['INVALID_INPUT', path]);
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

describe('wait_for_activity', () => {
  test('without a number waits for 20 s', async () => {
    const { service, joined } = await idle();
    const poll = post(service, joined.tokens.moderator, callTool('wait_for_activity'));
    await isHeld(service);
    service.clock.advance(19_999);
    await service.parley.agent(joined.tokens.agent_b).call('read_task');
    expect(service.parley.heldPolls()).toBe(1);
    service.clock.advance(1);
    const body = bodyOf(await poll);
    expect([at(body, 'timed_out'), at(body, 'events'), at(body, 'pending_actions')]).toEqual([true, [], []]);
  });
});

describe.each(['GET events', 'get_session_events', 'wait_for_activity'])('%s', (name) => {
  test('answers at once when there is an event after the cursor, and with the first that comes', async () => {
    const { service, joined } = await idle();
    const wait = WAITS[name] ?? expect.unreachable();
    const poll = wait(service, joined, 25);
    await isHeld(service);
    await service.owner.start(joined.sessionId);
    const woken = bodyOf(await poll);
    expect([at(woken, 'timed_out'), at(woken, 'events', 0, 'kind')]).toEqual([false, 'session.started']);
    const again = bodyOf(await wait(service, joined, 25));
    expect([at(again, 'timed_out'), at(again, 'events')]).toEqual([false, at(woken, 'events')]);
  });

  test('is not woken by what the moderator does not see', async () => {
    const { service, joined } = await idle();
    const poll = (WAITS[name] ?? expect.unreachable())(service, joined, 25);
    await isHeld(service);
    await service.owner.invite(joined.sessionId, { role: 'agent_b' });
    await service.owner.revoke(joined.sessionId, { role: 'agent_a' });
    await service.parley.agent(joined.tokens.agent_b).call('read_task');
    expect(service.parley.heldPolls()).toBe(1);
    service.clock.advance(25_000);
    const body = bodyOf(await poll);
    expect([at(body, 'timed_out'), at(body, 'events')]).toEqual([true, []]);
  });
});

describe('the waits of the moderator over REST and MCP', () => {
  const MODERATORS = ['GET state of the moderator', 'GET events', 'get_session_events', 'wait_for_activity'];

  test.each(MODERATORS)('by %s end for a pending action, though every event is acknowledged', async (name) => {
    const { service, joined } = await idle();
    const poll = (WAITS[name] ?? expect.unreachable())(service, joined, 25);
    await isHeld(service);
    await service.owner.assignAction(joined.sessionId, { target: 'moderator', text: 'Look at the risks.' });
    const moderator = service.parley.agent(joined.tokens.moderator);
    const { head } = await moderator.call('get_moderator_status');
    await moderator.call('ack_events', { cursor: head });
    for (const heard of [await poll, await (WAITS[name] ?? expect.unreachable())(service, joined, 25)])
      expect(bodyOf(heard)).toMatchObject({
        status: 'DRAFT',
        timed_out: false,
        pending_actions: [{ action_id: 'act_1', status: 'PENDING' }],
      });
  });
});

describe('a wait on a session that has ended', () => {
  test.each(Object.entries(WAITS))('by %s is answered at once, again and again', async (_name, wait) => {
    const { service, joined } = await idle();
    await service.owner.start(joined.sessionId);
    await service.owner.end(joined.sessionId, { end_reason: 'CANCELLED' });
    for (const _again of [1, 2]) {
      const heard = await wait(service, joined, 25);
      expect(bodyOf(heard)).toMatchObject({ status: 'ENDED', timed_out: false });
      const moderator = service.parley.agent(joined.tokens.moderator);
      const { head } = await moderator.call('get_moderator_status');
      expect(await moderator.call('ack_events', { cursor: head })).toEqual({ acked_cursor: head, head });
    }
  });
});

describe('a cursor beyond the head', () => {
  const afterOver =
    (tool: string, role: Role): Wait =>
    (service, { tokens }, after) =>
      post(service, tokens[role], callTool(tool, { after }));
  const afterRoute =
    (route: string, role: Role): Wait =>
    (service, { sessionId, tokens }, after) =>
      ask(service, restPath(sessionId, `${route}?after=${after}`), tokens[role]);
  const READS: readonly [string, number, Wait][] = [
    ['GET messages', 8, afterRoute('messages', 'agent_a')],
    ['GET messages of the moderator', 8, afterRoute('messages', 'moderator')],
    ['GET state', 8, afterRoute('state', 'agent_a')],
    ['GET state of the moderator', 8, afterRoute('state', 'moderator')],
    ['GET events', 8, afterRoute('events', 'moderator')],
    ['read_messages', 8, afterOver('read_messages', 'agent_a')],
    ['read_session_state', 8, afterOver('read_session_state', 'agent_a')],
    ['wait_for_my_turn', 8, afterOver('wait_for_my_turn', 'agent_a')],
    ['get_session_events', 8, afterOver('get_session_events', 'moderator')],
    ['wait_for_activity', 8, afterOver('wait_for_activity', 'moderator')],
  ];

  test.each(READS)('in %s is refused at once, naming the head %i', async (name, head, read) => {
    const service = await startService();
    const joined = await joinSession(service);
    const heard = await read(service, joined, head + 1);
    expect(heard.status).toBe(name.startsWith('GET') ? 422 : 200);
    expect(bodyOf(heard)).toMatchObject({
      ok: false,
      error: 'INVALID_INPUT',
      message: `after: Must be at most ${head}, the latest id you can see.`,
    });
    expect(service.parley.heldPolls()).toBe(0);
  });
});
