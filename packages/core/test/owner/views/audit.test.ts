import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, createParley, openPeople, type Person, type Storage } from '../../../src/index.ts';
import { erasureLogOf } from '../../../src/owner/retention.ts';
import { SAMPLE_SESSION } from '../../../src/testing/opening-events.ts';
import { createTestClock } from '../../../src/testing/test-engine.ts';

const ADA: Person = { id: 'p_ada', name: 'Ada', role: 'approver' };
const BOB: Person = { id: 'p_bob', name: 'Bob', role: 'operator' };
const MINUTE = 60_000;

async function opened(storage: Storage = createMemoryStorage()) {
  const clock = createTestClock('2026-11-24T09:00:00.000Z');
  const parley = await createParley({ storage, clock });
  onTestFinished(() => parley.close());
  const later = async <T>(work: Promise<T> | T): Promise<T> => {
    const value = await work;
    clock.advance(MINUTE);
    return value;
  };
  return { parley, storage, clock, later, as: (person?: Person) => parley.owner('o', { person }) };
}

/** Ada creates and starts a session, Bob pauses it, and the application creates a second session. */
async function played() {
  const world = await opened();
  const { as, later } = world;
  const { session_id: first } = await later(as(ADA).createSession({ ...SAMPLE_SESSION, title: 'First' }));
  await later(as(ADA).start(first));
  await later(as(BOB).pause(first, { reason: 'Lunch.' }));
  const { session_id: second } = await later(as().createSession({ ...SAMPLE_SESSION, title: 'Second' }));
  return { ...world, first, second };
}

const collect = async (lines: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const line of lines) text += line;
  return text;
};

describe('audit', () => {
  test('lists what people did in all sessions, newest first, with the hash of each event', async () => {
    const { as, first, second } = await played();
    const { events, next_after } = await as(BOB).audit();
    expect(next_after).toBe(null);
    expect(
      events.map(({ at, person, kind, session_id, title, seq }) => [at, person, kind, session_id, title, seq]),
    ).toEqual([
      ['2026-11-24T09:03:00.000Z', null, 'session.created', second, 'Second', 1],
      ['2026-11-24T09:02:00.000Z', { id: 'p_bob', name: 'Bob' }, 'session.paused', first, 'First', 3],
      ['2026-11-24T09:01:00.000Z', { id: 'p_ada', name: 'Ada' }, 'session.started', first, 'First', 2],
      ['2026-11-24T09:00:00.000Z', { id: 'p_ada', name: 'Ada' }, 'session.created', first, 'First', 1],
    ]);
    expect(events[1]?.body).toEqual({ reason: 'Lunch.' });
    const log = (await collect(as().exportLog(first))).trim().split('\n');
    expect(events.slice(1).map(({ hash }) => hash)).toEqual(log.map((line) => JSON.parse(line).hash).toReversed());
  });

  test('has no events of agents, of the service and of other owners', async () => {
    const { parley, as, first } = await played();
    const { session_id } = await parley.owner('other').createSession(SAMPLE_SESSION);
    await as().resume(first);
    const { code } = await as().invite(first, { role: 'agent_a' });
    await parley.redeem({ code });
    const { events } = await as().audit({ session_id: first });
    expect(events.map(({ kind }) => kind)).toEqual([
      'invitation.created',
      'session.resumed',
      'session.paused',
      'session.started',
      'session.created',
    ]);
    expect((await as().audit({ session_id })).events).toEqual([]);
    expect((await parley.owner('other').audit()).events.map((event) => event.session_id)).toEqual([session_id]);
  });

  test('shows no secret of an invitation', async () => {
    const { as, first } = await played();
    await as().resume(first);
    const { code } = await as().invite(first, { role: 'agent_a' });
    expect(JSON.stringify((await as().audit()).events)).not.toContain(code);
  });

  test('is filtered by person, kind, session and time', async () => {
    const { as, first, second } = await played();
    const seqs = async (filter: object) =>
      (await as().audit(filter)).events.map(({ session_id, seq }) => [session_id === first ? 'first' : 'second', seq]);
    expect(await seqs({ person: 'p_ada' })).toEqual([
      ['first', 2],
      ['first', 1],
    ]);
    expect(await seqs({ kind: 'session.created' })).toEqual([
      ['second', 1],
      ['first', 1],
    ]);
    expect(await seqs({ session_id: second })).toEqual([['second', 1]]);
    expect(await seqs({ from: '2026-11-24T09:01Z', to: '2026-11-24T09:03Z' })).toEqual([
      ['first', 3],
      ['first', 2],
    ]);
    expect(await seqs({ to: '2026-11-24' })).toEqual([]);
    expect(await seqs({ from: '2026-11-25' })).toEqual([]);
  });

  test.each([
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
    [{ limit: 201 }, 'limit'],
    [{ after: 'x' }, 'after'],
    [{ person: '' }, 'person'],
    [{ who: 'Ada' }, 'who'],
  ])('refuses %o', async (input, path) => {
    const { as } = await opened();
    await expect(as().audit(input as object)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [expect.objectContaining({ path })] },
    });
  });

  test('has pages that neither repeat nor lose an event while events are added', async () => {
    const { as, later, first } = await played();
    const one = await as().audit({ limit: 2 });
    await later(as(ADA).resume(first));
    const two = await as().audit({ limit: 2, after: one.next_after ?? '' });
    expect([...one.events, ...two.events].map(({ kind }) => kind)).toEqual([
      'session.created',
      'session.paused',
      'session.started',
      'session.created',
    ]);
    expect(two.next_after).toBe(null);
  });

  test('folds no session', async () => {
    const { storage, first } = await played();
    const read: string[] = [];
    const watched: Storage = {
      ...storage,
      fetch: (sessionId, ...more) => {
        read.push(sessionId);
        return storage.fetch(sessionId, ...more);
      },
    };
    const { as } = await opened(watched);
    expect((await as().audit({ session_id: first })).events).toHaveLength(3);
    expect(read).toEqual([]);
  });

  test('exports all events as JSON lines, oldest first', async () => {
    const { as, first } = await played();
    const lines = (await collect(as(BOB).exportAudit({ session_id: first }))).trim().split('\n');
    const { events } = await as().audit({ session_id: first });
    expect(lines.map((line) => JSON.parse(line))).toEqual(events.toReversed());
  });

  test('names who erased a session', async () => {
    const { as, first } = await played();
    const { head } = await as().verifyLog(first);
    await as(ADA).deleteSession(first);
    const { events } = await as().audit({ kind: 'session.erased' });
    expect(events.map(({ person, session_id, body }) => [person?.name, session_id, body])).toEqual([
      ['Ada', null, { session_id: first, title: 'First', events: 3, head_hash: head.hash }],
    ]);
    expect((await as().audit({ session_id: first })).events).toEqual([]);
  });

  test('keeps erasures in a log that no call on sessions reaches', async () => {
    const { as, later, first } = await played();
    const log = erasureLogOf('o').sessionId;
    await expect(as().view(log)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    await later(as(BOB).end(first, { end_reason: 'CANCELLED' }));
    await later(as(ADA).deleteSession(first));
    await expect(as().view(log)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
  });

  test('contains the changes of people if the application asks for them, without the hashes of keys', async () => {
    const { parley, storage, clock, as, later, first } = await played();
    const people = openPeople({ storage, clock, makeKey: () => `pok_${'k'.repeat(43)}`, random: randomBytes });
    onTestFinished(() => people.close());
    const { person } = await later(people.calls(ADA).addPerson({ name: 'Vera', role: 'viewer' }));
    await later(people.calls(ADA).revokePerson(person.person_id));
    await as(BOB).resume(first);
    expect((await as().audit({ from: '2026-11-24T09:04Z' })).events.map(({ kind }) => kind)).toEqual([
      'session.resumed',
    ]);
    const { events } = await parley.owner('o', { readsPeople: true }).audit({ from: '2026-11-24T09:04Z' });
    expect(events.map(({ person: by, kind, session_id, body }) => [by?.name, kind, session_id, body])).toEqual([
      ['Bob', 'session.resumed', first, {}],
      ['Ada', 'person.revoked', null, { person_id: person.person_id, name: 'Vera' }],
      [
        'Ada',
        'person.added',
        null,
        { person_id: person.person_id, name: 'Vera', role: 'viewer', key_prefix: 'pok_kkkkkk' },
      ],
    ]);
  });

  test('has no cursor of an event that the reader does not see', async () => {
    const { parley, storage, clock, as, later, first } = await played();
    const people = openPeople({ storage, clock, makeKey: () => `pok_${'k'.repeat(43)}`, random: randomBytes });
    onTestFinished(() => people.close());
    for (const name of ['Vera', 'Viktor', 'Vito']) {
      const { person } = await later(people.calls(ADA).addPerson({ name, role: 'viewer' }));
      await later(people.calls(ADA).revokePerson(person.person_id));
    }
    await later(as(BOB).resume(first));
    const reader = parley.owner('o', { readsPeople: async () => () => false });
    expect(await reader.audit({ limit: 1, session_id: 'people' })).toEqual({ events: [], next_after: null });
    const kinds: string[] = [];
    const cursors: (string | null)[] = [];
    for (let after: string | undefined; ; ) {
      const page = await reader.audit({ limit: 1, after });
      kinds.push(...page.events.map(({ kind }) => kind));
      cursors.push(page.next_after);
      if (page.next_after === null) break;
      after = page.next_after;
    }
    expect(kinds).toEqual([
      'session.resumed',
      'session.created',
      'session.paused',
      'session.started',
      'session.created',
    ]);
    expect(cursors.filter((cursor) => cursor?.includes('~people~'))).toEqual([]);
  });
});
