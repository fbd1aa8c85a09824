import { describe, expect, test } from 'vitest';
import { BENCHES } from '../src/benches.ts';
import { loadInProcess } from '../src/in-process.ts';

describe('a load in process', () => {
  test('runs 32 clients at a time, each one call after another, and counts every call', async () => {
    const calls = Array.from({ length: 32 }, () => 0);
    const underWay = new Set<number>();
    let most = 0;
    const begin = performance.now();
    const figures = await loadInProcess(0.1, (client, repeat) =>
      repeat(async () => {
        expect(underWay.has(client)).toBe(false);
        underWay.add(client);
        most = Math.max(most, underWay.size);
        await new Promise((resolve) => setImmediate(resolve));
        underWay.delete(client);
        calls[client] = (calls[client] ?? 0) + 1;
      }),
    );
    const elapsed = (performance.now() - begin) / 1000;
    const count = calls.reduce((sum, one) => sum + one, 0);
    expect(most).toBe(32);
    expect(Math.min(...calls)).toBeGreaterThan(0);
    expect(figures.requests).toBeGreaterThanOrEqual(count / elapsed);
    expect(figures.requests).toBeLessThanOrEqual(count / 0.1);
    expect(Object.keys(figures)).toEqual(['requests', 'p95', 'processor time for a request']);
  });

  test('makes one call of each client where it has no time', async () => {
    let calls = 0;
    await loadInProcess(0, (_, repeat) =>
      repeat(async () => {
        calls += 1;
      }),
    );
    expect(calls).toBe(32);
  });

  test('ends with the first call that fails', async () => {
    const failing = loadInProcess(5, (_, repeat) => repeat(() => Promise.reject(new Error('Not stored.'))));
    await expect(failing).rejects.toThrow('Not stored.');
  });
});

describe('the benches', () => {
  const withPeers = BENCHES.filter(({ peers }) => peers !== undefined);

  test('with peers come first, and each shows the figures beside peers first and names their versions', () => {
    expect(BENCHES.slice(0, withPeers.length)).toEqual(withPeers);
    for (const { figures, peerVersions } of withPeers) {
      const floors = figures.map(({ beside }) => beside === 'the floor');
      expect(floors).toEqual(floors.toSorted());
      expect(peerVersions?.()).toContainEqual(expect.stringMatching(/^@?[a-z][a-z\d/-]+ \d+\.\d+/));
    }
  });
});
