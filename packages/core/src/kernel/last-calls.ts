import type { Agent } from './roles.ts';

/** The last call of the holder of a role's token. */
export interface LastCall {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Whether a call of the holder is waiting for news. */
  readonly isWaiting: boolean;
}

/** The last call of each role in one session. Leaves out roles whose last call is not known. */
export type LastCalls = Readonly<Partial<Record<Agent, LastCall>>>;

/** The facts that an answer to the owner uses in addition to the state: the time, and the last calls of the agents. */
export interface Presence {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Number of milliseconds after which an agent counts as silent, if it has a task and has made no call. */
  readonly silentAfterMs: number;
  readonly calls: LastCalls;
}
