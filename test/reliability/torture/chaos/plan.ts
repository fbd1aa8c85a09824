import { type Draws, drawsFrom } from '../../processes/support/draws.ts';

/** A fault, and the milliseconds from the start of the run until it happens. */
export type Fault = { readonly atMs: number } & (
  | { readonly kind: 'kill'; readonly host: number; readonly downMs: number }
  | { readonly kind: 'restart'; readonly server: number; readonly downMs: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'round' }
);

export interface Trouble {
  readonly seconds: number;
  readonly hosts: number;
  /** Number of SIGKILLs of hosts, each followed by a restart. */
  readonly kills: number;
  /** Number of database servers: one, or the coordinator and the workers of Citus. */
  readonly servers: number;
  /** Number of restarts of a database server without a shutdown. */
  readonly restarts: number;
  /** How often the database connections that LISTEN are ended. */
  readonly cuts: number;
  readonly rounds: number;
}

/** Milliseconds without faults at the start of the run, in which the load begins. */
const CALM_MS = 1_500;

/** The same seed gives the same plan. Faults of each kind are spread over the run at random moments. */
export function planFaults(seed: number, { seconds, hosts, kills, servers, restarts, cuts, rounds }: Trouble): Fault[] {
  const draws = drawsFrom(seed);
  const lengthMs = seconds * 1_000 - CALM_MS;
  const moments = (count: number): number[] =>
    Array.from({ length: count }, (_, n) => CALM_MS + Math.floor(((n + draws.share()) * lengthMs) / count));
  return [
    ...moments(kills).map((atMs) => ({
      ...{ atMs, kind: 'kill' as const },
      ...{ host: draws.whole(0, hosts - 1), downMs: downTime(draws) },
    })),
    ...moments(restarts).map((atMs) => ({
      ...{ atMs, kind: 'restart' as const, downMs: draws.whole(0, 1_500) },
      server: servers > 1 ? draws.whole(0, servers - 1) : 0,
    })),
    ...moments(cuts).map((atMs) => ({ atMs, kind: 'cut' as const })),
    ...moments(rounds).map((atMs) => ({ atMs, kind: 'round' as const })),
  ];
}

/**
 * Milliseconds until a killed host is started again. Usually short, as with a supervisor. Sometimes longer than the
 * time for which the proxy excludes a failed process.
 */
const downTime = (draws: Draws): number => (draws.share() < 0.8 ? draws.whole(0, 500) : draws.whole(2_000, 4_000));
