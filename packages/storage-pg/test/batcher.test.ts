import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openBatcher } from '../src/batching/batcher.ts';

interface Held {
  readonly group: readonly string[];
  answer(): void;
}

/** A batcher whose batches stay in flight until the test answers them. */
function holdingBatcher(maxInFlight: number, maxBatchSize: number, charsOf: (request: string) => number = () => 0) {
  const held: Held[] = [];
  const submit = openBatcher<string, string>(
    { maxInFlight, maxBatchSize },
    {
      keyOf: (request) => request.slice(0, 1),
      charsOf,
      send: (group) =>
        new Promise((resolve) => {
          const answers = group.map((value) => ({ status: 'fulfilled' as const, value: `${value}!` }));
          held.push({ group, answer: () => resolve(answers) });
        }),
    },
  );
  return { held, submit };
}

const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const groupsOf = (held: readonly Held[]): readonly (readonly string[])[] => held.map(({ group }) => group);

describe('the batcher', () => {
  test('divide the waiting calls among free connections if there are enough for two groups', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456'];
    const { held, submit } = holdingBatcher(2, 64);
    for (const request of letters) void submit(request);
    await nextIteration();
    expect(groupsOf(held)).toEqual([letters.slice(0, 17), letters.slice(17)]);
  });

  test('leave a few calls to the next group, unless the running group takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { held, submit } = holdingBatcher(2, 64);
    void submit('a');
    await nextIteration();
    for (const request of ['b', 'c']) void submit(request);
    await nextIteration();
    await vi.advanceTimersByTimeAsync(9);
    expect(groupsOf(held)).toEqual([['a']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(groupsOf(held)).toEqual([['a'], ['b', 'c']]);
  });

  test('start a second group immediately if sixteen calls wait', async () => {
    const { held, submit } = holdingBatcher(2, 64);
    void submit('a');
    await nextIteration();
    for (const request of 'bcdefghijklmnopq') void submit(request);
    await nextIteration();
    expect(groupsOf(held)).toEqual([['a'], [...'bcdefghijklmnopq']]);
  });

  test('report the size of each group, even if the listener throws', async () => {
    const sizes: number[] = [];
    const onGroup = (size: number): never => {
      sizes.push(size);
      throw new Error('a listener that fails');
    };
    const submit = openBatcher<string, string>(
      { maxInFlight: 1, maxBatchSize: 64, onGroup },
      { send: async (group) => group.map((value) => ({ status: 'fulfilled', value: `${value}!` })) },
    );
    expect(await Promise.all([submit('a'), submit('b'), submit('c')])).toEqual(['a!', 'b!', 'c!']);
    expect(await submit('d')).toBe('d!');
    expect(sizes).toEqual([3, 1]);
  });

  test('form one group of all calls that arrive while they are busy', async () => {
    const { held, submit } = holdingBatcher(1, 64);
    const first = submit('a');
    await nextIteration();
    for (const request of ['b', 'c', 'd']) void submit(request);
    await nextIteration();
    expect(groupsOf(held)).toEqual([['a']]);
    held[0]?.answer();
    expect(await first).toBe('a!');
    await nextIteration();
    expect(groupsOf(held)).toEqual([['a'], ['b', 'c', 'd']]);
  });

  test('never run two calls with the same key at the same time, and keep their order', async () => {
    const { held, submit } = holdingBatcher(2, 64);
    for (const request of ['a1', 'a2', 'b1', 'a3']) void submit(request);
    await nextIteration();
    expect(groupsOf(held)).toEqual([['a1', 'b1']]);
    held[0]?.answer();
    await nextIteration();
    await nextIteration();
    expect(groupsOf(held)).toEqual([['a1', 'b1'], ['a2']]);
  });

  test('limit a group to its maximum number of members and to a megabyte', async () => {
    const { held, submit } = holdingBatcher(1, 3, (request) => Number(request.slice(1)));
    for (const request of ['a1', 'b2', 'c3', 'd900000', 'e200000', 'f5', 'g2000000']) void submit(request);
    for (let turn = 0; turn < 8; turn += 1) {
      await nextIteration();
      held.at(-1)?.answer();
    }
    expect(groupsOf(held)).toEqual([['a1', 'b2', 'c3'], ['d900000', 'f5'], ['e200000'], ['g2000000']]);
  });

  test('reject every member if the group fails, and continue', async () => {
    let isBroken = true;
    const submit = openBatcher<string, string>(
      { maxInFlight: 1, maxBatchSize: 64 },
      {
        async send(group) {
          if (isBroken) throw new Error('broken');
          return group.map((value) => ({ status: 'fulfilled', value }));
        },
      },
    );
    const outcomes = await Promise.allSettled([submit('a'), submit('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await submit('c')).toBe('c');
  });
});
