import { describe, expect, test } from 'vitest';
import { createMemoryStorage } from '../../src/kernel/storage/memory-storage.ts';
import { openSession } from '../../src/testing/index.ts';

const HOUR_MS = 3_600_000;
const BODY = { rounds: 1 };

const keptLogs = (storage: ReturnType<typeof createMemoryStorage>) => storage.list('parley:keyed', { limit: 200 });

async function opened() {
  const storage = createMemoryStorage();
  const session = await openSession({ storage });
  let runs = 0;
  const answer = (key: string) =>
    session.owner.answerOnce({ keys: [key], route: 'POST /extend', body: BODY }, async () => ({ run: ++runs }));
  return { ...session, storage, answer };
}

describe('the answer of a keyed write', () => {
  test('is kept for a day', async () => {
    const { clock, answer } = await opened();
    expect(await answer('k')).toEqual({ run: 1 });
    clock.advance(24 * HOUR_MS - 1);
    expect(await answer('k')).toEqual({ run: 1 });
    clock.advance(1);
    expect(await answer('k')).toEqual({ run: 2 });
  });

  test('is deleted after a day, when another key is used', async () => {
    const { clock, storage, answer } = await opened();
    for (const key of ['one', 'two', 'three']) await answer(key);
    expect(await keptLogs(storage)).toHaveLength(3);
    clock.advance(24 * HOUR_MS);
    await answer('four');
    await expect.poll(() => keptLogs(storage)).toHaveLength(1);
  });

  test('is unknown if the process ended before it', async () => {
    const { clock, owner } = await opened();
    const request = { keys: ['k'], route: 'POST /extend', body: BODY };
    const never = new Promise<object>(() => undefined);
    await new Promise<void>((hasBegun) => {
      const run = () => {
        hasBegun();
        return never;
      };
      void owner.answerOnce(request, run);
    });
    const again = () => owner.answerOnce(request, async () => ({ run: 2 }));
    await expect(again()).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds: 1 });
    clock.advance(60_000);
    await expect(again()).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      message:
        'The first request with this Idempotency-Key was never answered, and it is unknown whether it was stored.',
    });
  });

  test('is no session that an owner reaches', async () => {
    const { owner, storage, answer } = await opened();
    await answer('k');
    const [log] = await keptLogs(storage);
    await expect(owner.view(log?.sessionId ?? '')).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    expect((await owner.listSessions()).sessions).toHaveLength(1);
  });
});
