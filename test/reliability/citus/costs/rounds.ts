import { type Side, useOf } from './side.ts';

/**
 * Costs of one kind of call: calls per second, and averages for one call. `process`, `front` and `workers` are
 * processor time in microseconds.
 */
export interface Costs {
  readonly perSecond: number;
  readonly frontStatements: number;
  readonly workerStatements: number;
  readonly process: number;
  readonly front: number;
  readonly workers: number;
}

export interface Way {
  readonly name: string;
  readonly side: Side;
  /**
   * Functions that are called again and again, all at the same time. Each resolves to the number of calls that it has
   * made.
   */
  readonly callers: readonly (() => Promise<number>)[];
}

export interface OpenWays {
  readonly ways: readonly Way[];
  close(): Promise<void>;
}

/** Measures all `ways` in each round, in the reverse order of the previous round. The first round only warms up. */
export async function measureWays(
  ways: readonly Way[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<ReadonlyMap<Way, Costs>> {
  const measured = new Map<Way, Costs[]>(ways.map((way) => [way, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const costs = await measure(way, seconds);
      if (round > 0) measured.get(way)?.push(costs);
    }
  }
  return new Map(Array.from(measured, ([way, all]) => [way, mediansOf(all)]));
}

async function measure({ side, callers }: Way, seconds: number): Promise<Costs> {
  await useOf([side.front, ...side.workers]);
  const [from, own] = [performance.now(), process.cpuUsage()];
  let calls = 0;
  await Promise.all(
    callers.map(async (call) => {
      while (performance.now() - from < seconds * 1_000) {
        const made = await call();
        calls += made;
      }
    }),
  );
  const took = performance.now() - from;
  const { user, system } = process.cpuUsage(own);
  const [front, workers] = [await useOf([side.front]), await useOf(side.workers)];
  return {
    perSecond: (calls / took) * 1_000,
    frontStatements: front.statements / calls,
    workerStatements: workers.statements / calls,
    process: (user + system) / calls,
    front: (front.processorMs / calls) * 1_000,
    workers: (workers.processorMs / calls) * 1_000,
  };
}

function mediansOf(all: readonly Costs[]): Costs {
  const median = (name: keyof Costs): number => {
    const sorted = all.map((costs) => costs[name]).toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    perSecond: median('perSecond'),
    frontStatements: median('frontStatements'),
    workerStatements: median('workerStatements'),
    process: median('process'),
    front: median('front'),
    workers: median('workers'),
  };
}
