import { type Draws, drawsFrom } from '../../processes/support/draws.ts';

/** What is done to the service, and when, in milliseconds from the start. */
export type Fault = { readonly atMs: number } & (
  | { readonly kind: 'kill'; readonly host: number; readonly downMs: number }
  | { readonly kind: 'restart'; readonly downMs: number }
  | { readonly kind: 'cut' }
  /** Every host is replaced, one after another. */
  | { readonly kind: 'round' }
);

export interface Trouble {
  readonly seconds: number;
  readonly hosts: number;
  /** Hosts ended with -9 and started again. */
  readonly kills: number;
  /** Immediate restarts of PostgreSQL. */
  readonly restarts: number;
  /** Times at which the connections that LISTEN are terminated. */
  readonly cuts: number;
  /** Rolling restarts of all hosts. */
  readonly rounds: number;
}

/** Nothing happens before the load has begun. */
const CALM_MS = 1_500;

/** The same faults for the same seed: each kind spread over the time, at moments drawn. */
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

/** Mostly as short as a supervisor makes it, at times longer than the proxy looks away. */
const downTime = (draws: Draws): number => (draws.share() < 0.8 ? draws.whole(0, 500) : draws.whole(2_000, 4_000));
