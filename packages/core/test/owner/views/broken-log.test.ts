import { describe, expect, test } from 'vitest';
import type { StoredEvent } from '../../../src/kernel/log/event.ts';
import { createMemoryStorage, type MemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import type { Storage } from '../../../src/kernel/storage/storage.ts';
import { sha256Hex } from '../../../src/kernel/text/hash.ts';
import { createParley } from '../../../src/parley.ts';
import { openSession } from '../../../src/testing/index.ts';

type Damage = (events: readonly StoredEvent[]) => readonly StoredEvent[];

const edited =
  (seq: number, edit: (event: StoredEvent) => StoredEvent): Damage =>
  (events) =>
    events.map((event) => (event.seq === seq ? edit(event) : event));

const rehashed = ({ seq }: StoredEvent, body: string): StoredEvent => ({ seq, body, hash: sha256Hex(body) });

/** A second connection to the storage, which returns damaged events for one session. */
function damaged(memory: MemoryStorage, brokenId: string, damage: Damage): Storage {
  const storage = memory.sibling();
  return {
    ...storage,
    async fetch(sessionId, after, skipIfMoreThan) {
      const tail = await storage.fetch(sessionId, after, skipIfMoreThan);
      return tail && sessionId === brokenId ? { ...tail, events: damage(tail.events) } : tail;
    },
    async events(sessionId, from, to) {
      const events = await storage.events(sessionId, from, to);
      return sessionId === brokenId ? damage(events) : events;
    },
  };
}

const DRAFT = { title: 'Whole', objective: 'O', requirements: [{ requirement_id: 'R1', text: 'x' }] };

/** A damaged session of nine events, an intact session, and a process with empty caches. */
async function openBroken(damage: Damage) {
  const memory = createMemoryStorage();
  const session = await openSession({ storage: memory });
  await session.agentA.call('post_turn', { summary: 'We agree on mTLS.' });
  session.clock.advance(1_000);
  const { session_id: wholeId } = await session.owner.createSession(DRAFT);
  const failures: unknown[] = [];
  const storage = damaged(memory, session.sessionId, damage);
  const parley = await createParley({ storage, clock: session.clock, onFailure: (cause) => failures.push(cause) });
  return {
    parley,
    owner: parley.owner('owner-1'),
    brokenId: session.sessionId,
    wholeId,
    tokens: session.tokens,
    failures,
  };
}

const DAMAGES: readonly (readonly [what: string, damage: Damage, event: number, reason: string])[] = [
  [
    'an edited text',
    edited(9, (event) => ({ ...event, body: event.body.replace('mTLS', 'plain') })),
    9,
    'HASH_MISMATCH',
  ],
  [
    'an edited text with its own hash',
    edited(3, (event) => rehashed(event, event.body.replace('agent_a', 'agent_b'))),
    4,
    'CHAIN_BROKEN',
  ],
  ['a text that is no JSON', edited(2, (event) => rehashed(event, '{')), 2, 'BODY_UNREADABLE'],
  ['a deleted event', (events) => events.filter(({ seq }) => seq !== 4), 4, 'SEQ_MISMATCH'],
  ['a deleted first event', (events) => events.filter(({ seq }) => seq !== 1), 1, 'SEQ_MISMATCH'],
  ['a cut tail', (events) => events.filter(({ seq }) => seq < 6), 6, 'TAIL_MISSING'],
];

describe.each(DAMAGES)('a log with %s', (_what, damage, event, reason) => {
  test('is named by verifyLog, and can be exported and deleted', async () => {
    const { parley, owner, brokenId } = await openBroken(damage);
    expect(await owner.verifyLog(brokenId)).toMatchObject({ ok: false, fault: { seq: event, reason } });
    const lines: string[] = [];
    for await (const line of owner.exportLog(brokenId)) lines.push(line);
    expect(lines.length).toBeGreaterThan(3);
    expect(await owner.deleteSession(brokenId)).toEqual({ deleted: true });
    await expect(owner.verifyLog(brokenId)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    await parley.close();
  });

  test('is refused as LOG_BROKEN, and the operator is told', async () => {
    const { parley, owner, brokenId, tokens, failures } = await openBroken(damage);
    const expected = { code: 'LOG_BROKEN', status: 409, details: { event: expect.any(Number) } };
    await expect(owner.view(brokenId)).rejects.toMatchObject(expected);
    await expect(parley.agent(tokens.agent_a).call('read_task')).rejects.toMatchObject(expected);
    await parley.close();
    expect(failures.length).toBeLessThan(3);
  });

  test('is marked in the overview beside the other sessions', async () => {
    const { parley, owner, brokenId, wholeId } = await openBroken(damage);
    const { sessions } = await owner.overview();
    expect(sessions.map(({ session_id, title }) => [session_id, title])).toEqual([
      [wholeId, 'Whole'],
      [brokenId, 'Orders and stock'],
    ]);
    expect(sessions[0]).not.toHaveProperty('fault');
    expect(sessions[1]).toMatchObject({
      status: 'ACTIVE',
      movers: [],
      fault: {
        code: 'LOG_BROKEN',
        text: expect.stringMatching(/^The stored log of this session is broken at event \d\.$/),
      },
      waits: [{ wait_id: `LOG_BROKEN:${brokenId}`, kind: 'LOG_BROKEN', operation: 'verifyLog', blocking: true }],
    });
    await parley.close();
  });

  test('does not prevent the creation or entitlement of another session', async () => {
    const { parley, owner, wholeId } = await openBroken(damage);
    await owner.deleteSession(wholeId);
    expect(await owner.createSession(DRAFT)).toMatchObject({ status: 'DRAFT' });
    expect(await owner.setModeratorEntitlement({ entitled: false })).toEqual({ entitled: false, sessions: 1 });
    await parley.close();
  });
});

test('a session of a newer release is marked in the overview beside the others', async () => {
  const { parley, owner, brokenId } = await openBroken(
    edited(8, (event) => rehashed(event, event.body.replace('"kind":"', '"kind":"future.'))),
  );
  const { sessions } = await owner.overview();
  expect(sessions.map(({ waits, fault }) => [waits.length, fault?.code])).toEqual([
    [1, undefined],
    [0, 'NEWER_RELEASE'],
  ]);
  await expect(owner.view(brokenId)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await parley.close();
});

test('an edited message is refused although the session was folded before', async () => {
  const memory = createMemoryStorage();
  const session = await openSession({ storage: memory });
  await session.agentA.call('post_turn', { summary: 'We agree on mTLS.' });
  const damage = edited(9, (event) => ({ ...event, body: event.body.replace('mTLS', 'plain') }));
  const broken = damaged(memory, session.sessionId, damage);
  const parley = await createParley({ storage: { ...broken, fetch: memory.sibling().fetch }, clock: session.clock });
  await expect(parley.agent(session.tokens.agent_b).call('read_messages')).rejects.toMatchObject({
    code: 'LOG_BROKEN',
    details: { event: 9 },
  });
  await parley.close();
});

test('another owner cannot reach a broken log', async () => {
  const { parley, brokenId } = await openBroken((events) => events.slice(0, 2));
  const other = parley.owner('owner-2');
  await expect(other.verifyLog(brokenId)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
  await expect(other.deleteSession(brokenId)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
  await expect(other.exportLog(brokenId)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'UNKNOWN_RECORD',
  });
  await parley.close();
});
