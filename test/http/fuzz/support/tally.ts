/** Counts requests by outcome. `lines` returns the counts, the time of the slowest request and the memory as text. */
export interface Tally {
  count(what: string, ms: number): void;
  lines(): readonly string[];
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  let slowestMs = 0;
  const startBytes = process.memoryUsage.rss();
  return {
    count(what, ms) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      slowestMs = Math.max(slowestMs, ms);
    },
    lines: () => [
      `${[...counts.values()].reduce((sum, count) => sum + count, 0)} requests; the slowest took ${Math.round(slowestMs)} ms`,
      `memory: ${megabytes(startBytes)} at the start, ${megabytes(process.memoryUsage.rss())} at the end`,
      Array.from(counts, ([what, count]) => `${what} ${count}`).join(', '),
    ],
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
