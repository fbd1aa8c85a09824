import { createMemoryStorage, createParley, type Owner } from '@parley/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { at, type Heard } from '../../../support/exchange.ts';
import { type Inside, type Joined, joinAs, joinSession } from '../../../support/join-session.ts';
import { callTool, MCP, restPath } from '../../../support/requests.ts';
import { ask, post, type Service, startService } from '../../../support/service.ts';
import { CHALLENGE } from '../support/specification.ts';
import { verdictOf } from '../support/targets.ts';

type Hold = (service: Service, joined: Joined) => Promise<Heard>;

const overRoute =
  (route: string): Hold =>
  (service, { sessionId, tokens }) =>
    ask(service, restPath(sessionId, route), tokens.moderator);

const overTool =
  (tool: string, input: object): Hold =>
  (service, { tokens }) =>
    post(service, tokens.moderator, callTool(tool, input));

/** Every way to hold a moderator's poll for 25 seconds. */
const HOLDS: Readonly<Record<string, Hold>> = {
  'GET state': overRoute('state?wait=25'),
  'GET events': overRoute('events?wait=25'),
  read_session_state: overTool('read_session_state', { wait: 25 }),
  get_session_events: overTool('get_session_events', { wait: 25 }),
  wait_for_activity: overTool('wait_for_activity', { wait_seconds: 25 }),
  'wait_for_activity by the path': (service, { tokens }) =>
    service.send({
      method: 'POST',
      path: `${MCP}/${tokens.moderator}`,
      body: callTool('wait_for_activity', { wait_seconds: 25 }),
    }),
};

interface End {
  readonly refusal: string;
  readonly end: (inside: Inside, joined: Joined) => Promise<unknown>;
  /** Whether the call also ends the polls of moderators in other sessions of the same owner. */
  readonly isForOwner?: boolean;
}

const ENDS: Readonly<Record<string, End>> = {
  stopped: { refusal: '403 MODERATOR_STOPPED', end: ({ owner }, { sessionId }) => owner.stopModerator(sessionId) },
  'not entitled any more': {
    refusal: '403 MODERATOR_NOT_ENTITLED',
    end: ({ owner }) => owner.setModeratorEntitlement({ entitled: false }),
    isForOwner: true,
  },
  revoked: {
    refusal: `401 TOKEN_REVOKED ${CHALLENGE}`,
    end: ({ owner }, { sessionId }) => owner.revoke(sessionId, { role: 'moderator' }),
  },
  'replaced by a newer redemption': {
    refusal: `401 TOKEN_REVOKED ${CHALLENGE}`,
    end: async ({ owner, parley }, { sessionId }) => joinAs({ owner, parley }, sessionId, 'moderator'),
  },
};

const overMcp = (refusal: string): string => refusal.replace(' ', ' -32001 ');

/** Joins a session in DRAFT, where no role has work. The moderator has acknowledged every event. */
async function idleSession(service: Service, owner: Owner = service.owner): Promise<Joined> {
  const joined = await joinSession({ parley: service.parley, owner }, { isStarted: false });
  const moderator = service.parley.agent(joined.tokens.moderator);
  await moderator.call('ack_events', { cursor: (await moderator.call('get_moderator_status')).head });
  return joined;
}

const isHeld = ({ parley }: Service, count: number) => expect.poll(() => parley.heldPolls()).toBe(count);

/**
 * Starts the process that gets the requests and the process that makes the change: one process, or two on the same
 * storage.
 */
async function startBoth(where: 'here' | 'at another process'): Promise<readonly [Service, Inside]> {
  const storage = createMemoryStorage();
  const service = await startService({ storage });
  if (where === 'here') return [service, service];
  const parley = await createParley({ storage: storage.sibling(), clock: service.clock });
  onTestFinished(() => parley.close());
  return [service, { parley, owner: parley.owner('team') }];
}

const cells = Object.entries(ENDS).flatMap(([what, end]) =>
  (['here', 'at another process'] as const).map((where) => [what, where, end] as const),
);

describe('the polls of a moderator who is', () => {
  test.each(cells)(
    '%s %s end at once with the error, and no others do',
    async (_what, where, { refusal, end, isForOwner = false }) => {
      const [service, inside] = await startBoth(where);
      const joined = await idleSession(service);
      const ofOwner = await idleSession(service);
      const ofAnother = await idleSession(service, service.parley.owner('another'));
      const polls = Object.values(HOLDS).map((hold) => hold(service, joined));
      await isHeld(service, 6);
      const sister = HOLDS['GET events']?.(service, ofOwner);
      const strangers = [
        ask(service, restPath(joined.sessionId, 'state?wait=25'), joined.tokens.agent_a),
        ask(service, restPath(joined.sessionId, 'state?wait=25'), joined.tokens.agent_b),
        post(service, ofAnother.tokens.moderator, callTool('wait_for_activity', { wait_seconds: 25 })),
      ];
      await isHeld(service, 10);
      await end(inside, joined);
      const heard = (await Promise.all(polls)).map(verdictOf);
      expect(heard).toEqual([refusal, refusal, ...Array.from({ length: 4 }, () => overMcp(refusal))]);
      if (isForOwner) expect(verdictOf((await sister) ?? expect.unreachable())).toBe(refusal);
      expect(service.parley.heldPolls()).toBe(isForOwner ? 3 : 4);
      service.clock.advance(25_000);
      const last = await Promise.all(isForOwner ? strangers : [...strangers, sister ?? expect.unreachable()]);
      expect(new Set(last.map((answer) => verdictOf(answer)))).toEqual(new Set(['200']));
      expect(
        last.map(({ json }) => at(json, 'result', 'structuredContent', 'timed_out') ?? at(json, 'timed_out')),
      ).toEqual(last.map(() => true));
      expect(service.failures).toEqual([]);
    },
  );

  test('granted other permissions go on', async () => {
    const [service, inside] = await startBoth('at another process');
    const joined = await idleSession(service);
    const polls = Object.values(HOLDS).map((hold) => hold(service, joined));
    await isHeld(service, 6);
    await inside.owner.grantModerator(joined.sessionId, { permissions: [] });
    await service.parley.agent(joined.tokens.moderator).call('read_task');
    expect(service.parley.heldPolls()).toBe(6);
    service.clock.advance(25_000);
    expect((await Promise.all(polls)).map(verdictOf)).toEqual(polls.map(() => '200'));
  });
});

test.each(['stopped', 'not entitled any more'])(
  'a held call of a moderator who is %s is answered under its id, in a batch in its place',
  async (what) => {
    const service = await startService();
    const joined = await idleSession(service);
    const batch = [
      callTool('read_task', {}, 1),
      callTool('wait_for_activity', { wait_seconds: 25 }, 2),
      callTool('ack_events', { cursor: 1 }, 3),
    ];
    const polls = [
      post(service, joined.tokens.moderator, callTool('wait_for_activity', {}, 'call-7')),
      post(service, joined.tokens.moderator, `[${batch}]`),
    ];
    await isHeld(service, 2);
    await ENDS[what]?.end(service, joined);
    const [single, several] = await Promise.all(polls);
    const error = { code: -32001, data: { ok: false, error: ENDS[what]?.refusal.split(' ')[1] } };
    expect([single?.status, single?.json]).toMatchObject([403, { jsonrpc: '2.0', id: 'call-7', error }]);
    expect(several?.json).toMatchObject([
      { id: 1, result: { isError: false } },
      { id: 2, error },
      { id: 3, error },
    ]);
  },
);
