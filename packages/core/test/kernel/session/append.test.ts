import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/kernel/limits.ts';
import type { Domain } from '../../../src/kernel/operation/operation.ts';
import { createExactly, prepareEvents } from '../../../src/kernel/session/append.ts';
import { createMemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../../src/kernel/storage/storage.ts';
import { SESSION } from '../support/chain.ts';
import { type Notes, notes } from '../support/notes.ts';
import { START, virtualClock } from '../support/virtual-clock.ts';
import { openWorld } from '../support/world.ts';

const note = (text: string, actor: 'agent_a' | 'system' = 'agent_a') => ({ kind: 'note.added', data: { text }, actor });
const EMPTY = notes.empty(SESSION);

describe('prepared events', () => {
  test('are consecutive, have the same time and produce the state after them', () => {
    const { state, events, stored } = prepareEvents(notes, EMPTY, [note('one'), note('two')], START);
    expect(state).toMatchObject({ texts: ['one', 'two'], head: { seq: 2, hash: stored[1]?.hash } });
    expect(events.map(({ seq, at, prevHash }) => ({ seq, at, prevHash }))).toEqual([
      { seq: 1, at: '2026-11-21T09:00:00.000Z', prevHash: '0'.repeat(64) },
      { seq: 2, at: '2026-11-21T09:00:00.000Z', prevHash: stored[0]?.hash },
    ]);
    expect(EMPTY.texts).toEqual([]);
  });

  test('are never older than the event before, even if the clock goes back', () => {
    const { state } = prepareEvents(notes, EMPTY, [note('one')], START);
    const { events } = prepareEvents(notes, state, [note('two')], START - 3_600_000);
    expect(events[0]?.at).toBe('2026-11-21T09:00:00.000Z');
  });

  test('include the events of the obligations in the new state, with the system as the actor', () => {
    const obliged: Domain<Notes> = {
      ...notes,
      settleObligations: ({ texts }) => [{ kind: 'note.added', data: { text: `after ${texts.length}` } }],
    };
    const { events } = prepareEvents(obliged, EMPTY, [note('one')], START);
    expect(events.map(({ actor, data }) => ({ actor, data }))).toEqual([
      { actor: 'agent_a', data: { text: 'one' } },
      { actor: 'system', data: { text: 'after 1' } },
    ]);
  });

  test.each([
    ['a kind that is not in the catalogue', { ...note('x'), kind: 'note.burnt' }],
    ['a missing member', { ...note('x'), data: {} }],
    ['a member too many', { ...note('x'), data: { text: 'x', more: 1 } }],
  ])('are refused with %s', (_what, draft) => {
    expect(() => prepareEvents(notes, EMPTY, [draft], START)).toThrow();
  });
});

describe('a new session of unknown outcome', () => {
  const prepared = prepareEvents(notes, EMPTY, [note('one')], START);
  const clock = virtualClock();

  /**
   * A storage whose connection breaks during the first `breaks` calls of `create`. If `lands` is true, these calls create the
   * session nevertheless.
   */
  const breaking = (breaks: number, lands: boolean) => {
    const memory = createMemoryStorage();
    let sent = 0;
    const create: typeof memory.create = async (...args) => {
      sent += 1;
      if (sent > breaks || lands) await memory.create(...args);
      if (sent <= breaks) throw new OutcomeUnknown('gone');
    };
    return { ...memory, create, sent: () => sent };
  };
  const outcomeOf = async (storage: ReturnType<typeof breaking>) => {
    const outcome = createExactly({ storage, clock, domain: notes }, prepared, null).then(
      () => 'created',
      (error: unknown) => error,
    );
    await clock.advance(16_000);
    return await outcome;
  };

  test('counts as created if it was stored, and is not sent again', async () => {
    const storage = breaking(1, true);
    expect(await outcomeOf(storage)).toBe('created');
    expect(storage.sent()).toBe(1);
    expect((await storage.fetch(SESSION, 0))?.head).toEqual(prepared.state.head);
  });

  test('is sent again with the same bytes if it was not stored', async () => {
    const storage = breaking(2, false);
    expect(await outcomeOf(storage)).toBe('created');
    expect(storage.sent()).toBe(3);
    expect((await storage.fetch(SESSION, 0))?.head).toEqual(prepared.state.head);
  });

  test('is reported as unknown if the storage never confirms it', async () => {
    expect(await outcomeOf(breaking(1_000, false))).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test('throws every other error unchanged', async () => {
    const storage = createMemoryStorage();
    await storage.close();
    await expect(createExactly({ storage, clock, domain: notes }, prepared, null)).rejects.toThrow(StorageUnavailable);
  });
});

describe('one idempotency key sent twice at the same time', () => {
  test('stores one turn and gives one answer', async () => {
    const { here, tokenA, turn, memory, sessionId } = await openWorld();
    const sent = { token: tokenA, body: turn(), keys: ['k'] };
    const [first, second] = await Promise.all([here.send('POST turns', sent), here.send('POST turns', sent)]);
    expect(first).toMatchObject({ status: 200, body: { turn_index: 0 } });
    expect(second?.text).toBe(first?.text);
    expect((await memory.fetch(sessionId, 0))?.head.seq).toBe(7);
  });
});

describe('the quota of events', () => {
  test('stops the agent that has used it up, and nobody else', async () => {
    const quotas = { ...DEFAULT_LIMITS.quotas, events: 2 };
    const { here, owner, sessionId, tokenA, tokenB, turn } = await openWorld({ limits: { quotas } });
    expect(await here.send('POST turns', { token: tokenA, body: turn() })).toMatchObject({ status: 200 });
    expect(await here.send('POST turns', { token: tokenB, body: turn() })).toMatchObject({ status: 200 });
    expect(await here.send('POST turns', { token: tokenA, body: turn() })).toMatchObject({
      status: 409,
      code: 'QUOTA_EXHAUSTED',
    });
    expect(await owner.end(sessionId, { end_reason: 'COMPLETED' })).toBeDefined();
  });
});
