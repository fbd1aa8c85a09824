import { type Draws, drawsFrom } from '../../processes/support/draws.ts';

/** A fault and its time, in milliseconds from the start. */
export type Fault = { readonly atMs: number } & (
  | { readonly kind: 'kill'; readonly host: number; readonly downMs: number }
  | { readonly kind: 'restart'; readonly downMs: number }
  | { readonly kind: 'cut' }
  /** Replaces every host, one after another. */
  | { readonly kind: 'round' }
);

export interface Trouble {
  readonly seconds: number;
  readonly hosts: number;
  /** Number of SIGKILLs of hosts, each followed by a restart. */
  readonly kills: number;
  /** Number of immediate restarts of PostgreSQL. */
  readonly restarts: number;
  /** Number of times at which the connections that LISTEN are terminated. */
  readonly cuts: number;
  /** Number of rolling restarts of all hosts. */
  readonly rounds: number;
}

/** No fault happens before this, so that the load has begun. */
const CALM_MS = 1_500;

/** Plans the same faults for the same seed: those of each kind are spread over the run, at random moments. */
export function planFaults(seed: number, { seconds, hosts, kills, restarts, cuts, rounds }: Trouble): Fault[] {
  const draws = drawsFrom(seed);
  const lengthMs = seconds * 1_000 - CALM_MS;
  const moments = (count: number): number[] =>
    Array.from({ length: count }, (_, n) => CALM_MS + Math.floor(((n + draws.share()) * lengthMs) / count));
  return [
    ...moments(kills).map((atMs) => ({
      ...{ atMs, kind: 'kill' as const },
      ...{ host: draws.whole(0, hosts - 1), downMs: downTime(draws) },
    })),
    ...moments(restarts).map((atMs) => ({ atMs, kind: 'restart' as const, downMs: draws.whole(0, 1_500) })),
    ...moments(cuts).map((atMs) => ({ atMs, kind: 'cut' as const })),
    ...moments(rounds).map((atMs) => ({ atMs, kind: 'round' as const })),
  ];
}

/** Usually as short as with a supervisor, sometimes longer than the proxy excludes a failed process. */
const downTime = (draws: Draws): number => (draws.share() < 0.8 ? draws.whole(0, 500) : draws.whole(2_000, 4_000));
