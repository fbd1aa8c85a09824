import { describe, expect, test } from 'vitest';
import { at, type Heard } from '../../support/exchange.ts';
import { type Joined, joinSession } from '../../support/join-session.ts';
import { callTool, restPath } from '../../support/requests.ts';
import { ask, post, type Service, startService } from '../../support/service.ts';

interface Page {
  readonly ids: readonly unknown[];
  readonly nextCursor: unknown;
  readonly text: string;
}

/** Reads a page of messages as agent_b. Sends `after` only if it is given. */
type Reader = (service: Service, joined: Joined, after?: number) => Promise<Page>;

const READERS: Readonly<Record<string, Reader>> = {
  async REST(service, { sessionId, tokens }, after) {
    const path = after === undefined ? 'messages' : `messages?after=${after}`;
    const { text, json } = await ask(service, restPath(sessionId, path), tokens.agent_b);
    return pageOf(json, text);
  },
  async MCP(service, { tokens }, after) {
    const { json } = await post(
      service,
      tokens.agent_b,
      callTool('read_messages', after === undefined ? {} : { after }),
    );
    return pageOf(at(json, 'result', 'structuredContent'), String(at(json, 'result', 'content', 0, 'text')));
  },
};

function pageOf(page: unknown, text: string): Page {
  const messages = at(page, 'messages');
  const ids = Array.isArray(messages) ? messages.map((message) => at(message, 'id')) : [];
  return { ids, nextCursor: at(page, 'next_cursor'), text };
}

/** Joins a session whose transcript contains the message of the start and `decisions` decisions. */
async function fillTranscript(service: Service, decisions: number): Promise<Joined> {
  const joined = await joinSession(service);
  const agentA = service.parley.agent(joined.tokens.agent_a);
  for (let n = 1; n <= decisions; n += 1)
    await agentA.call('submit_decision', { topic: `Topic ${n}`, position: 'Yes.' });
  return joined;
}

describe.each(Object.entries(READERS))('a page of messages over %s', (_door, read) => {
  test('holds 50 messages, begins at 0 when nothing is said, and goes on after its last id', async () => {
    const service = await startService();
    const joined = await fillTranscript(service, 103);
    const first = await read(service, joined);
    expect(first.text).toBe((await read(service, joined, 0)).text);
    expect(first.ids).toHaveLength(50);
    expect(first.nextCursor).toBe(first.ids[49]);
    const second = await read(service, joined, Number(first.nextCursor));
    expect(second.ids).toHaveLength(50);
    const third = await read(service, joined, Number(second.nextCursor));
    expect(third.ids).toHaveLength(4);
    const all = [...first.ids, ...second.ids, ...third.ids].map(Number);
    expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
    expect(await read(service, joined, Number(third.nextCursor))).toMatchObject({
      ids: [],
      nextCursor: third.nextCursor,
    });
  });

  test('holds what is there when that is less, exactly 50, or one more', async () => {
    const service = await startService();
    const lengths = [48, 49, 50].map(
      async (decisions) => (await read(service, await fillTranscript(service, decisions))).ids.length,
    );
    expect(await Promise.all(lengths)).toEqual([49, 50, 50]);
  });
});

type Poster = (service: Service, joined: Joined, excerpt: string) => Promise<Heard>;

const POSTERS: Readonly<Record<string, Poster>> = {
  REST: (service, { sessionId, tokens }, excerpt) =>
    ask(service, restPath(sessionId, 'evidence'), tokens.agent_a, evidenceOf(excerpt)),
  MCP: (service, { tokens }, excerpt) => post(service, tokens.agent_a, callTool('post_evidence', evidenceOf(excerpt))),
};

const evidenceOf = (excerpt: string) => ({ evidence: [{ kind: 'log', reference: 'build.log:7', excerpt }] });

describe.each(Object.entries(POSTERS))('an excerpt over %s', (door, send) => {
  test.each(['x', 'é', '€'])('of 600 times %s is stored, of 601 it is refused', async (letter) => {
    const service = await startService();
    const joined = await joinSession(service);
    await service.parley.agent(joined.tokens.agent_a).call('post_turn', { summary: 'First.' });
    const head = async () => (await service.storage.fetch(joined.sessionId, 100))?.head.seq ?? 0;
    const before = await head();
    const refused = await send(service, joined, letter.repeat(601));
    const error = door === 'REST' ? refused.json : at(refused.json, 'result', 'structuredContent');
    expect([refused.status, at(error, 'error')]).toEqual([door === 'REST' ? 422 : 200, 'INVALID_INPUT']);
    expect(at(error, 'issues', 0, 'path')).toBe('evidence[0].excerpt');
    expect(await head()).toBe(before);
    const taken = await send(service, joined, letter.repeat(600));
    expect([taken.status, at(taken.json, 'result', 'isError') ?? false]).toEqual([200, false]);
    const stored = await service.storage.events(joined.sessionId, before + 1, before + 1);
    expect(stored[0]?.body).toContain(letter.repeat(600));
  });
});
