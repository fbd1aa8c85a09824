import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, type Heard } from '../../support/exchange.ts';
import { type Joined, joinSession } from '../../support/join-session.ts';
import { callTool, restPath } from '../../support/requests.ts';
import { ask, openService, post, type Service } from '../../support/service.ts';

const EVENTS = 230;

let service: Service;
let joined: Joined;
/** Ids of the events that the moderator must see, in order, read from the log. */
let ids: number[];

beforeAll(async () => {
  service = await openService({ limits: { perToken: 1_000_000 } });
  joined = await joinSession(service);
  const { parley, owner, storage } = service;
  const agents = [parley.agent(joined.tokens.agent_a), parley.agent(joined.tokens.agent_b)];
  for (let n = 0; n < EVENTS / 2; n += 1) {
    if (n % 10 === 0) await owner.invite(joined.sessionId, { role: 'agent_a' });
    for (const agent of agents)
      await agent.call('submit_decision', { topic: `Topic ${n % 3}`, position: `${n} ${agents.indexOf(agent)}` });
  }
  const stored = [
    ...(await storage.events(joined.sessionId, 1, 400)),
    ...(await storage.events(joined.sessionId, 401, 800)),
  ];
  ids = stored
    .map(({ body }) => JSON.parse(body))
    .filter(({ kind }) => !/^(session\.created|(invitation|access)\..*)$/.test(kind))
    .map(({ seq }) => seq);
});
afterAll(() => service.close());

type Read = (query: Readonly<Record<string, unknown>>) => Promise<Heard>;

const READS: Readonly<Record<string, Read>> = {
  'GET events': (query) => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return ask(service, restPath(joined.sessionId, `events?${text}`), joined.tokens.moderator);
  },
  get_session_events: (query) => post(service, joined.tokens.moderator, callTool('get_session_events', query)),
};

const bodyOf = ({ json }: Heard): unknown => at(json, 'result', 'structuredContent') ?? json;

function pageOf(heard: Heard) {
  const body = bodyOf(heard);
  const events = at(body, 'events');
  return { ids: Array.isArray(events) ? events.map((event) => at(event, 'id')) : [], next: at(body, 'next_cursor') };
}

describe.each(Object.entries(READS))('%s', (name, read) => {
  test('without a limit gives 50 events, without after from the acknowledged cursor on', async () => {
    const heard = await read({});
    expect(pageOf(heard)).toEqual({ ids: ids.slice(0, 50), next: ids[49] });
    expect(bodyOf(heard)).toMatchObject({ acked_cursor: 0, head: ids.at(-1) });
  });

  test.each([1, 2, 49, 50, 51, 99, 100])('gives with a limit of %i so many events', async (limit) => {
    expect(pageOf(await read({ limit, after: ids[9] }))).toEqual({
      ids: ids.slice(10, 10 + limit),
      next: ids[9 + limit],
    });
  });

  test.each([
    ...[{ limit: 0 }, { limit: 101 }, { limit: -1 }, { limit: 1.5 }, { limit: 'all' }],
    ...[{ after: -1 }, { after: 0.5 }, { after: 'x' }, { wait: -1 }, { wait: 'x' }],
  ])('refuses %j', async (query) => {
    const heard = await read(query);
    expect(heard.status).toBe(name.startsWith('GET') ? 422 : 200);
    expect([at(bodyOf(heard), 'error'), at(bodyOf(heard), 'issues', 0, 'path')]).toEqual([
      'INVALID_INPUT',
      Object.keys(query)[0],
    ]);
  });

  test.each([1, 7, 50, 100])('read on by pages of %i gives every event once, in order', async (limit) => {
    const seen: unknown[] = [];
    for (let after: unknown = 0; ; ) {
      const page = pageOf(await read({ after, limit, wait: 0 }));
      if (page.ids.length === 0) {
        expect(page.next).toBe(after);
        break;
      }
      seen.push(...page.ids);
      after = page.next;
    }
    expect(seen).toEqual(ids);
  });

  test('gives nothing after the head', async () => {
    expect(pageOf(await read({ after: ids.at(-1) }))).toEqual({ ids: [], next: ids.at(-1) });
  });

  test.each([1, 1_000_000])('refuses a cursor %i beyond the head, and names the head', async (beyond) => {
    const head = ids.at(-1) ?? 0;
    const heard = await read({ after: head + beyond });
    expect(heard.status).toBe(name.startsWith('GET') ? 422 : 200);
    expect(bodyOf(heard)).toMatchObject({
      error: 'INVALID_INPUT',
      issues: [{ path: 'after', message: `Must be at most ${head}, the latest id you can see.` }],
    });
  });

  test('starts in the middle of what is hidden as well', async () => {
    const hidden = Array.from({ length: 20 }, (_, n) => n + 1).filter((seq) => !ids.includes(seq));
    expect(hidden.length).toBeGreaterThan(5);
    for (const after of hidden)
      expect(pageOf(await read({ after, limit: 1 })).ids).toEqual([ids.find((id) => id > after)]);
  });
});

describe('ack_events', () => {
  const ack = (cursor: unknown) =>
    ask(service, restPath(joined.sessionId, 'events/ack'), joined.tokens.moderator, { cursor });

  test('moves where reading starts, never backward, and never past the head', async () => {
    const head = ids.at(-1) ?? 0;
    expect((await ack(ids[99])).json).toEqual({ acked_cursor: ids[99], head });
    expect((await ack(ids[9])).json).toEqual({ acked_cursor: ids[99], head });
    for (const read of Object.values(READS)) expect(pageOf(await read({})).ids).toEqual(ids.slice(100, 150));
    for (const cursor of [head + 1, -1, 1.5, 'x', null]) {
      const heard = await ack(cursor);
      expect([cursor, heard.status, at(heard.json, 'issues', 0, 'path')]).toEqual([cursor, 422, 'cursor']);
    }
    expect((await ack(head)).json).toEqual({ acked_cursor: head, head });
    for (const read of Object.values(READS)) expect(pageOf(await read({})).ids).toEqual([]);
  });
});
