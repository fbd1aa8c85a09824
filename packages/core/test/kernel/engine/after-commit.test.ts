import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { pause } from '../../../src/areas/owner/session.ts';
import { createMemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import { type Storage, StorageUnavailable } from '../../../src/kernel/storage/storage.ts';
import { createParley } from '../../../src/parley.ts';
import { openPeople } from '../../../src/people/people.ts';
import { openSession } from '../../../src/testing/index.ts';
import { SAMPLE_SESSION } from '../../../src/testing/opening-events.ts';
import { createTestClock, createTestEngine } from '../../../src/testing/test-engine.ts';

const QUESTION = { targets: ['agent_a' as const], text: 'Who owns the schema?' };

const away = (): Promise<never> => Promise.reject(new StorageUnavailable('Away.'));

/** A storage whose reads of one kind fail from the moment at which a write has succeeded. */
function failingAfter(write: 'create' | 'delete', reads: readonly ('fetch' | 'list' | 'usage')[]): Storage {
  const storage = createMemoryStorage();
  let isWritten = false;
  const written = async <T>(result: Promise<T>): Promise<T> => {
    const value = await result;
    isWritten = true;
    return value;
  };
  return {
    ...storage,
    ...(write === 'create'
      ? { create: (...values: Parameters<Storage['create']>) => written(storage.create(...values)) }
      : { delete: (...values: Parameters<Storage['delete']>) => written(storage.delete(...values)) }),
    ...(reads.includes('fetch') && {
      fetch: (...values: Parameters<Storage['fetch']>) => (isWritten ? away() : storage.fetch(...values)),
    }),
    ...(reads.includes('list') && {
      list: (...values: Parameters<Storage['list']>) => (isWritten ? away() : storage.list(...values)),
    }),
    ...(reads.includes('usage') && { usage: away }),
  };
}

describe('a stored write gets its answer', () => {
  test('though a listener fails, which is reported', async () => {
    const failures: unknown[] = [];
    const { owner, sessionId } = await openSession({ onFailure: (error, where) => failures.push([error, where]) });
    const fault = new Error('The listener failed.');
    owner.watchNotices(() => {
      throw fault;
    });
    expect(await owner.ask(sessionId, QUESTION)).toMatchObject({ intervention: { intervention_id: 'i_1' } });
    expect(failures).toEqual([[fault, 'wake-up']]);
  });

  test('though the storage is away after a session was created', async () => {
    const parley = await createParley({ storage: failingAfter('create', ['list', 'fetch']) });
    expect(await parley.owner('ada').createSession(SAMPLE_SESSION)).toMatchObject({ status: 'DRAFT' });
  });

  test('though the storage is away after a session was deleted', async () => {
    const storage = failingAfter('delete', ['fetch']);
    const { owner, sessionId } = await openSession({ storage });
    expect(await owner.deleteSession(sessionId)).toEqual({ deleted: true });
  });

  test('though nothing can be counted after an account was added', async () => {
    const storage = failingAfter('create', ['usage']);
    const people = openPeople({ storage, makeKey: () => `pok_${'k'.repeat(43)}`, random: randomBytes });
    const calls = people.calls(undefined);
    expect(await calls.addAccount({ name: 'Second' })).toMatchObject({
      account: { name: 'Second', used: { sessions: 0, events: 0, bytes: 0 } },
    });
    people.close();
  });
});

describe('a write whose answer cannot be made', () => {
  test('stores nothing', async () => {
    const engine = createTestEngine(createTestClock());
    const parley = await createParley({ storage: engine.storage });
    const owner = parley.owner('ada');
    const { session_id: sessionId } = await owner.createSession(SAMPLE_SESSION);
    await owner.start(sessionId);
    const failing = {
      ...pause,
      reply: (): never => {
        throw new Error('No answer.');
      },
    };
    const call = {
      operation: failing,
      sessionId,
      identify: () => ({ role: 'owner' as const }),
      absent: (): never => {
        throw new Error('The session is known.');
      },
      holder: 'ada',
      input: { reason: 'Lunch.' },
    };
    await expect(engine.run(call as never)).rejects.toThrow('No answer.');
    expect((await owner.listSessions()).sessions[0]?.status).toBe('ACTIVE');
  });

  test('changes no account', async () => {
    const storage = createMemoryStorage();
    let isAway = false;
    const counted: Storage = { ...storage, usage: (id) => (isAway ? away() : storage.usage(id)) };
    const people = openPeople({ storage: counted, makeKey: () => `pok_${'k'.repeat(43)}`, random: randomBytes });
    const calls = people.calls(undefined);
    const { account } = await calls.addAccount({ name: 'Second' });
    isAway = true;
    await expect(calls.changeAccount(account.account_id, { name: 'Third' })).rejects.toThrow(StorageUnavailable);
    expect(await calls.ownAccount()).toEqual({ account_id: 'owner', name: 'First account' });
    isAway = false;
    expect((await calls.listAccounts()).accounts.map(({ name }) => name)).toEqual(['First account', 'Second']);
    people.close();
  });
});
